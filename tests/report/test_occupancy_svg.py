"""The picture of the charts, where matplotlib is there to draw it, and what is said where it is not."""

import sys
from xml.etree import ElementTree as ET

import pytest

from sycllint.errors import SycllintError
from sycllint.hardware.profiles import device
from sycllint.occupancy.calculator import Question, answer
from sycllint.occupancy.timeline import Dispatch, timeline
from sycllint.report.occupancy.svg import picture, pixels

TGL = answer(device("tgl"), Question((320,), 8, 16 * 1024, True, None, (2560,)))
PVC = answer(device("pvc"), Question((320,), 16, 16 * 1024, True, None, (2560,)))


def texts(svg: str) -> list[str]:
    """The words of a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_names_each_device_and_its_share() -> None:
    pytest.importorskip("matplotlib")
    words = texts(picture([TGL, PVC]))
    assert words.count("tgl, sub-group 8: 71.4 %") == 2
    assert words.count("pvc, sub-group 16: 93.8 %") == 2
    assert "work-items per work-group" in words


def test_says_which_launch_it_is_about_and_which_panel_is_whose() -> None:
    pytest.importorskip("matplotlib")
    words = texts(picture([TGL, PVC]))
    assert words.count("work-group 320, local memory 16 KiB, barrier, global 2560 in 8 groups") == 1
    for name in ("tgl", "pvc"):
        assert f"{name}: occupancy of a core by work-group size" in words
        assert f"{name}: occupancy of a core by local memory" in words


def test_each_of_eight_devices_has_its_own_panels() -> None:
    pytest.importorskip("matplotlib")
    names = ("tgl", "pvc", "bmg", "dg2", "sm_90", "sm_120", "gfx90a", "gfx1100")
    found = [answer(device(name), Question((256,), width)) for name in names for width in device(name).sub_group_sizes]
    words = texts(picture(found))
    titles = [word for word in words if "occupancy of a core by" in word]
    assert len(titles) == len({*titles}) == 2 * len(names)


def test_is_a_png_where_one_is_wanted() -> None:
    pytest.importorskip("matplotlib")
    assert pixels([TGL]).startswith(b"\x89PNG\r\n")


def test_has_the_timeline_where_there_is_one() -> None:
    pytest.importorskip("matplotlib")
    played = timeline(TGL.occupancy, Dispatch(8, 6, barrier=True, partial=True))
    assert any(word.startswith("time, in units of one group's work") for word in texts(picture([TGL], played)))


def test_is_the_same_every_time() -> None:
    pytest.importorskip("matplotlib")
    assert picture([TGL]) == picture([TGL])


def test_says_what_to_install_where_matplotlib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(SycllintError, match=r"--svg needs matplotlib, .* pip install 'sycllint\[plot\]'"):
        picture([TGL])
