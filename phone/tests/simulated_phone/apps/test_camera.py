"""The camera: what the gallery keeps of a shot."""

from __future__ import annotations

from simulated_phone import GesturePlayer, Open, Phone, Tap
from simulated_phone.apps.camera.data import PACKAGE
from simulated_phone.apps.camera.pages import CAMERA

GALLERY = "com.android.gallery3d"


def test_each_shot_has_a_name_of_its_own_and_the_options_at_its_time() -> None:
    phone = Phone(seed=4, size=(540, 1200), density=210)
    play = GesturePlayer(phone).play
    play(
        [
            Open(PACKAGE),
            Tap("快门"),
            Tap("定时拍摄"),
            Tap("3秒"),
            Tap("切换前后镜头"),
            Tap("人像"),
            Tap("快门"),
        ]
    )
    play([Tap("录像"), Tap("开始录制"), Tap("停止录制")])
    taken = phone.state[GALLERY]["photos"][-3:]
    assert [(one["name"], one["mode"], one["lens"], one["timer"], one["kind"]) for one in taken] == [
        ("IMG_0001", "拍照", "后置", "不延时", "照片"),
        ("IMG_0002", "人像", "前置", "3秒", "照片"),
        ("VID_0003", "录像", "前置", "3秒", "视频"),
    ]


def test_a_camera_alone_says_that_there_is_no_gallery() -> None:
    phone = Phone(seed=4, size=(540, 1200), density=210, apps=[CAMERA])
    GesturePlayer(phone).play([Open(PACKAGE), Tap("快门")])
    assert phone.toast == "没有安装这个应用"
    GesturePlayer(phone).play([Tap("相机设置"), Tap("保存到"), Tap("相机")])
    assert phone.state[PACKAGE]["album"] == "相机"
