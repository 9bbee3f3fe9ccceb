"""Numbers of what is new on tabs and conversations: drawn in designs with pictures, not in trees."""

from __future__ import annotations

from phone.tests.simulated_phone.random_use import touch
from simulated_phone import Phone
from simulated_phone.screens.nodes import Node, Words


def opened(english: str, design: str = "pebble") -> Phone:
    phone = Phone(seed=3, size=(540, 1200), density=210, design=design)
    phone.start(next(package for package, app in phone.apps.items() if app.english == english))
    return phone


def number(node: Node) -> str:
    """The number drawn on a node beside its own text; "" for none."""
    words = [mark.text for one in node.walk() for mark in one.marks if isinstance(mark, Words)]
    return next((text for text in words if text.isdecimal()), "")


def tab(phone: Phone, label: str) -> Node:
    bar = next(node for node in phone.screen().nodes() if node.kind == "android.widget.TabWidget")
    return next(node for node in bar.children if node.text == label)


def test_unread_messages_are_counted_until_they_are_read() -> None:
    phone = opened("Chat")
    unread = dict(phone.state[phone.foreground[0]]["unread"])
    assert unread
    assert number(tab(phone, "消息")) == str(sum(unread.values()))
    name = next(iter(unread))
    row = next(node for node in phone.screen().nodes() if node.tap and node.label() in (name, f"{name}图片"))
    assert number(row) == str(unread[name])
    phone.tap(*row.box.centre)
    phone.press_key("KEYCODE_BACK")
    left = sum(unread.values()) - unread[name]
    assert number(tab(phone, "消息")) == (str(left) if left else "")


def test_the_cart_and_the_updates_are_counted() -> None:
    shop = opened("Shopping")
    assert number(tab(shop, "购物车")) == str(len(shop.state[shop.foreground[0]]["cart"]))
    touch(shop, "我的")
    assert number(tab(shop, "购物车")) == str(len(shop.state[shop.foreground[0]]["cart"]))
    store = opened("App Store")
    assert number(tab(store, "应用更新")) == str(len(store.state[store.foreground[0]]["updates"]))
