"""Numbers and grids as they are drawn."""

from __future__ import annotations

import io

from PIL import Image, ImageChops

from fingertip_agents.screens.marks import NumberedGrid, NumberedMark, draw_grid, draw_numbers
from fingertip_agents.screens.scale import Scale
from fingertip_dataset.ui_tree.accessibility import Box

WHITE = (255, 255, 255)
FULL = Scale(device=(1080, 2400), shown=(1080, 2400))


def opened(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as image:
        assert image.format == "JPEG"
        return image.convert("RGB")


def inked(image: Image.Image) -> tuple[int, int, int, int] | None:
    """The part that is no longer white; JPEG leaves a little noise."""
    difference = ImageChops.difference(image, Image.new("RGB", image.size, WHITE)).convert("L")
    return difference.point(lambda value: 255 * (value > 60)).getbbox()


def mark(left: int, top: int, right: int, bottom: int) -> NumberedMark:
    return NumberedMark(box=Box(left=left, top=top, right=right, bottom=bottom), words="")


def test_a_mark_has_a_frame_and_its_number_in_the_corner_and_leaves_the_middle_free(
    blank_screenshot: bytes,
) -> None:
    image = opened(draw_numbers(blank_screenshot, [mark(200, 300, 600, 700)], FULL))
    assert inked(image) == (200, 300, 600, 700)
    assert inked(image.crop((260, 360, 590, 690))) is None
    corner = image.crop((204, 304, 225, 330))
    assert inked(corner) is not None
    # white digits on a colour
    assert corner.crop((2, 2, 18, 24)).convert("L").getextrema()[1] > 200


def test_on_a_low_element_the_number_stands_above_the_words(blank_screenshot: bytes) -> None:
    image = opened(draw_numbers(blank_screenshot, [mark(200, 300, 600, 360)], FULL))
    assert inked(image.crop((210, 305, 590, 355))) is None
    box = inked(image)
    assert box is not None
    assert box[1] < 275


def test_numbers_of_boxes_with_one_corner_stand_beside_one_another(blank_screenshot: bytes) -> None:
    one = opened(draw_numbers(blank_screenshot, [mark(0, 0, 1080, 2400)], FULL))
    two = opened(draw_numbers(blank_screenshot, [mark(0, 0, 1080, 2400), mark(0, 0, 1080, 1200)], FULL))
    row = (6, 10, 200, 25)
    widths = [inked(image.crop(row)) for image in (one, two)]
    assert widths[0] is not None
    assert widths[1] is not None
    assert widths[1][2] > 1.5 * widths[0][2]


def test_a_number_at_the_edge_stays_on_the_picture(blank_screenshot: bytes) -> None:
    image = opened(draw_numbers(blank_screenshot, [mark(1070, 2390, 1080, 2400)], FULL))
    box = inked(image)
    assert box is not None
    assert box[2:] == (1080, 2400)
    assert box[0] < 1060


def test_the_numbers_are_drawn_in_the_smaller_picture(blank_screenshot: bytes) -> None:
    scale = Scale.fit((1080, 2400), long_side=1200)
    image = opened(draw_numbers(blank_screenshot, [mark(200, 300, 600, 700)], scale))
    assert image.size == (540, 1200)
    assert inked(image) == (100, 150, 300, 350)


def test_no_mark_leaves_the_screenshot(blank_screenshot: bytes) -> None:
    assert inked(opened(draw_numbers(blank_screenshot, [], FULL))) is None


def test_the_areas_of_a_grid_cover_the_screen_once() -> None:
    for size in ((1080, 2400), (720, 1281), (50, 60), (2400, 1080)):
        grid = NumberedGrid(size=size)
        areas = [grid.area(number) for number in range(1, grid.columns * grid.rows + 1)]
        assert sum(area.width * area.height for area in areas) == size[0] * size[1]
        assert (areas[0].left, areas[0].top) == (0, 0)
        assert (areas[-1].right, areas[-1].bottom) == size


def test_each_area_has_its_number_in_the_corner(blank_screenshot: bytes) -> None:
    grid = NumberedGrid(size=(1080, 2400))
    image = opened(draw_grid(blank_screenshot, grid, FULL))
    for number in (1, 95, 180):
        area = grid.area(number)
        assert inked(image.crop((area.left + 3, area.top + 3, area.left + 20, area.top + 20))) is not None
        assert inked(image.crop((area.left + 60, area.top + 60, area.right - 8, area.bottom - 8))) is None
