import json

from formats.samples import APPRAISE, GOOGLE_MQM, written


def test_convert_says_how_it_read_what_it_repaired_and_what_is_lost(accord_command, tmp_path):
    written(tmp_path / "in.csv", APPRAISE)
    done = accord_command("convert", "in.csv", "out.jsonl", "--log", "log.txt")
    assert done.returncode == 0, done.stderr
    assert "Read in.csv as appraise: rows of 12 cells without a header" in done.stdout
    assert "4 ratings of 3 items by 2 raters and 2 spans." in done.stdout
    assert "line 3: repaired: spans are a Python literal" in done.stdout
    assert "Lost: 2 spans: the format holds ratings only." in done.stdout
    assert (tmp_path / "log.txt").read_text().startswith("line 3: repaired")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert rows[0]["value"] == 87 and rows[0]["time_s"] == 12


def test_convert_refuses_to_overwrite_and_strict_lists_the_rows(accord_command, tmp_path):
    written(tmp_path / "in.csv", APPRAISE)
    strict = accord_command("convert", "in.csv", "out.csv", "--strict")
    assert (strict.returncode, (tmp_path / "out.csv").exists()) == (2, False)
    assert "Python literal" in strict.stderr and "Traceback" not in strict.stderr
    assert accord_command("convert", "in.csv", "out.csv").returncode == 0
    again = accord_command("convert", "in.csv", "out.csv")
    assert again.returncode == 2 and "--force" in again.stderr
    assert accord_command("convert", "in.csv", "out.csv", "--force").returncode == 0


def test_convert_names_the_format_of_both_ends(accord_command, tmp_path):
    written(tmp_path / "mqm", GOOGLE_MQM)
    done = accord_command("convert", "mqm", "back", "--format", "google-mqm", "--to", "google-mqm")
    assert done.returncode == 0 and "Nothing was lost." in done.stdout
    unknown = accord_command("convert", "mqm", "x.xyz")
    assert unknown.returncode == 2 and "--to" in unknown.stderr
    wrong = accord_command("convert", "mqm", "y.csv", "--set", "segments")
    assert wrong.returncode == 2 and "NAME=VALUE" in wrong.stderr


def test_formats_lists_them_all_and_tells_about_one(accord_command):
    from accord.formats import FORMATS

    listed = json.loads(accord_command("formats", "--json").stdout)["formats"]
    assert [row["name"] for row in listed] == list(FORMATS)
    assert all(row["loss"] for row in listed)
    one = accord_command("formats", "pearmut").stdout
    assert "Traps: Offsets count UTF-16 units" in one
    assert accord_command("formats", "nothing").returncode == 2
