"""What one rule says on several targets becomes one sentence, no stronger than its evidence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.diagnostic import Diagnostic, Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.pipeline import analyze
from sycllint.pipeline.join import TargetFinding, distinct, join, severity, weakened
from sycllint.rule import Finding, rule
from sycllint.source.span import Location, Span
from sycllint.target import Target

HERE = Location("a.cpp", Span(10, 20))


@rule("SYC101", Severity.ERROR, on=KernelLaunch)
def too_large(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    yield from ()


def finding(
    verdict: str = "exceeds max 512",
    *,
    subject: str = "work-group 640",
    location: Location = HERE,
    evidence: Evidence = Evidence.PROVED,
    severity: Severity | None = None,
    device_specific: bool = True,
    related: tuple[Related, ...] = (),
    help: str = "",  # noqa: A002 - the field's name
) -> Finding:
    return Finding(location, subject, verdict, evidence, severity, device_specific, related, help)


def joined(*verdicts: tuple[str, Finding]) -> list[Diagnostic]:
    return join(too_large, [TargetFinding(target, found) for target, found in verdicts])


def messages(*verdicts: tuple[str, Finding]) -> list[str]:
    return [diagnostic.message for diagnostic in joined(*verdicts)]


class TestMessage:
    def test_one_target(self) -> None:
        assert messages(("tgl", finding())) == ["work-group 640 exceeds max 512 on tgl"]

    def test_equal_verdicts_share_a_sentence_and_list_their_targets(self) -> None:
        (diagnostic,) = joined(("tgl", finding()), ("dg1", finding()))
        assert diagnostic.message == "work-group 640 exceeds max 512 on tgl, dg1"
        assert diagnostic.targets == ("tgl", "dg1")

    def test_verdicts_that_differ_stand_side_by_side(self) -> None:
        found = messages(("tgl", finding()), ("gen9", finding("exceeds max 256")), ("dg1", finding()))
        assert found == ["work-group 640 exceeds max 512 on tgl, dg1; 256 on gen9"]

    def test_beyond_three_verdicts_the_targets_are_named_alone(self) -> None:
        (found,) = messages(*((name, finding(f"fills {name}%")) for name in ("1", "2", "3", "4", "5")))
        assert found == "work-group 640 fills 1% on 1; 2% on 2; 3% on 3; also on 4, 5"

    @pytest.mark.parametrize(
        ("first", "second", "together"),
        [
            ("but may be 8 or 16", "but may be 16", "but may be 8 or 16 on tgl; 16 on pvc"),
            ("is none (of 8 and 16)", "is none (of 16)", "is none (of 8 and 16) on tgl; (of 16) on pvc"),
            ("leaves 31% of WGP idle", "leaves 40% of SM idle", "leaves 31% of WGP idle on tgl; 40% of SM idle on pvc"),
            ("limits WGP to 1", "limits SM to 2", "limits WGP to 1 on tgl; limits SM to 2 on pvc"),
            ("is not `n + 1 `", "is not `n + 2 `", "is not `n + 1 ` on tgl; is not `n + 2 ` on pvc"),
            ("idles", "halts", "idles on tgl; halts on pvc"),
        ],
    )
    def test_words_that_two_verdicts_start_with_are_said_once(self, first: str, second: str, together: str) -> None:
        assert messages(("tgl", finding(first)), ("pvc", finding(second))) == [f"work-group 640 {together}"]

    def test_what_does_not_depend_on_the_device_names_none(self) -> None:
        found = finding("does not divide 1000", device_specific=False)
        (diagnostic,) = joined(("tgl", found), ("gen9", found))
        assert diagnostic.message == "work-group 640 does not divide 1000"
        assert diagnostic.targets == ("tgl", "gen9")

    def test_two_subjects_are_two_diagnostics(self) -> None:
        found = messages(("tgl", finding()), ("tgl", finding(subject="work-group 768")))
        assert found == ["work-group 640 exceeds max 512 on tgl", "work-group 768 exceeds max 512 on tgl"]

    def test_two_findings_of_one_target_on_one_subject_are_two_diagnostics(self) -> None:
        found = messages(("tgl", finding("is odd")), ("tgl", finding("is large")), ("gen9", finding("is odd")))
        assert found == ["work-group 640 is odd on tgl, gen9", "work-group 640 is large on tgl"]


def test_help_that_differs_by_target_says_for_which() -> None:
    (diagnostic,) = joined(
        ("tgl", finding(help="512 fits.")),
        ("dg1", finding(help="512 fits.")),
        ("gen9", finding("exceeds max 256", help="256 fits.")),
    )
    assert diagnostic.help == "tgl, dg1: 512 fits; gen9: 256 fits."


def test_related_places_of_all_targets_come_once() -> None:
    there, elsewhere = (Related(text, HERE) for text in ("R is 5 here", "required here"))
    (diagnostic,) = joined(("tgl", finding(related=(there,))), ("gen9", finding(related=(there, elsewhere))))
    assert diagnostic.related == (there, elsewhere)


class TestSeverity:
    @pytest.mark.parametrize(
        ("evidence", "most"),
        [
            (Evidence.PROVED, Severity.ERROR),
            (Evidence.DERIVED, Severity.WARNING),
            (Evidence.HEURISTIC, Severity.NOTE),
        ],
    )
    def test_is_no_more_than_the_evidence_carries(self, evidence: Evidence, most: Severity) -> None:
        assert severity(too_large, finding(evidence=evidence)) is most

    def test_a_finding_may_say_less_than_its_rule(self) -> None:
        assert severity(too_large, finding(severity=Severity.NOTE)) is Severity.NOTE

    def test_an_error_names_only_the_targets_on_which_it_is_one(self) -> None:
        warning, error = joined(("tgl", finding(evidence=Evidence.DERIVED)), ("gen9", finding("exceeds max 256")))
        assert (warning.severity, warning.targets) == (Severity.WARNING, ("tgl",))
        assert (error.severity, error.targets) == (Severity.ERROR, ("gen9",))

    def test_below_an_error_the_strongest_target_decides_for_all(self) -> None:
        (diagnostic,) = joined(
            ("tgl", finding(evidence=Evidence.HEURISTIC)), ("gen9", finding(evidence=Evidence.DERIVED))
        )
        assert (diagnostic.severity, diagnostic.targets) == (Severity.WARNING, ("tgl", "gen9"))

    def test_an_assumed_target_takes_the_proof_away(self) -> None:
        assert severity(too_large, weakened(finding())) is Severity.WARNING

    def test_an_assumed_target_does_not_strengthen_a_heuristic(self) -> None:
        assert weakened(finding(evidence=Evidence.HEURISTIC)).evidence is Evidence.HEURISTIC


class TestDistinct:
    def test_contexts_of_one_launch_that_say_the_same_say_it_once(self) -> None:
        assert len(distinct([*joined(("tgl", finding())), *joined(("tgl", finding()))])) == 1

    def test_the_greater_severity_stays(self) -> None:
        weak = joined(("tgl", finding(evidence=Evidence.DERIVED)))
        (kept,) = distinct([*weak, *joined(("tgl", finding()))])
        assert kept.severity is Severity.ERROR

    def test_errors_that_differ_in_their_example_are_one_with_what_is_less_sure(self) -> None:
        verdicts = ["is read too early (work-items 0 and 8)", "is read too early (work-items 0 and 4)"]
        errors = [each for text in verdicts for each in joined(("tgl", finding(verdict=text, device_specific=False)))]
        sure = Evidence.DERIVED
        less = joined(("tgl", finding(verdict="is read too early", device_specific=False, evidence=sure)))
        other = joined(("tgl", finding(verdict="is read twice (work-items 0 and 4)", device_specific=False)))
        kept = distinct([*less, *errors, *other])
        assert [each.message.rpartition(" is ")[2] for each in kept] == [
            "read too early (work-items 0 and 8)",
            "read twice (work-items 0 and 4)",
        ]
        assert [each.severity for each in kept] == [Severity.ERROR] * 2

    def test_the_order_is_by_path_place_and_message(self) -> None:
        places = [Location("b.cpp", Span(0, 1)), Location("a.cpp", Span(9, 9)), Location("a.cpp", Span(2, 3))]
        found = distinct(each for place in places for each in joined(("tgl", finding(location=place))))
        assert [each.location for each in found] == places[::-1]


def test_waste_at_one_place_is_reported_once_and_errors_one_by_one(tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(
        "template <int N> void f(sycl::queue &q) {\n"
        "  q.parallel_for(sycl::nd_range<1>(64 * N, N), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {\n"
        "    it.barrier();\n  });\n}\n"
        "int main() { sycl::queue q; f<512>(q); f<488>(q); f<640>(q); f<720>(q); }\n"
    )
    found = analyze([str(source)], Config(targets=("tgl",)))
    assert [each.message.partition(" on ")[0] for each in found if each.code == "SYC101"] == [
        "work-group 640 exceeds max 512",
        "work-group 720 exceeds max 512",
    ]
    wasted = [each.location.span.start for each in found if each.code == "SYC201"]
    text = source.read_text()
    assert wasted == [text.index(f"f<{size}>") for size in (512, 488)]


def test_a_call_is_named_once_by_its_argument_or_as_the_way_there(tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(
        "template <int N> void f(sycl::queue &q, float *a) {\n"
        "  q.submit([&](sycl::handler &h) {\n"
        "    sycl::local_accessor<float, 1> t(N, h);\n"
        "    h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {\n"
        "      t[it.get_local_id(0)] = a[it.get_global_id(0)];\n"
        "      if (it.get_local_id(0) < 7) it.barrier();\n"
        "      a[it.get_global_id(0)] = t[63 - it.get_local_id(0)];\n    });\n  });\n}\n"
        "int main() { sycl::queue q; f<40000>(q, nullptr); }\n"
    )
    found = analyze([str(source)], Config(targets=("tgl",)))
    named = {each.code: [other.message for other in each.related] for each in found}
    assert named["SYC401"] == ["N is 40000 here"]
    assert named["SYC501"] == ["the condition is here", "reached by this call of f"]


def test_a_call_of_a_plain_function_is_not_added_to_other_places(tmp_path: Path) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(
        "void f(sycl::queue &q, float *a, int n, int m) {\n"
        "  q.parallel_for(sycl::nd_range<1>(n, m), [=](sycl::nd_item<1> it) {\n"
        "    if (it.get_local_id(0) < 7) it.barrier();\n"
        "    a[it.get_global_id(0)] = 1;\n  });\n}\n"
        "int main() { sycl::queue q; f(q, nullptr, 65536, 64); }\n"
    )
    found = analyze([str(source)], Config(targets=("tgl",)))
    named = {each.code: [other.message for other in each.related] for each in found}
    assert named["SYC501"] == ["the condition is here"]
