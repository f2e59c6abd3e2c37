"""Knowledge from JSON and CSV, and one clear message for everything else."""

import pytest

from intersort import InputError, Knowledge, read_knowledge


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_json_with_four_keys(tmp_path):
    content = '{"before": [["a", "b"], ["a", "b"], [0, 2]], "tiers": [["a"], []], "last": ["é"]}'
    path = write(tmp_path, "known.json", content)
    expected = Knowledge(before=[("a", "b"), ("a", "b"), (0, 2)], tiers=[["a"], []], last=["é"])
    assert read_knowledge(path) == expected
    assert read_knowledge(str(write(tmp_path, "known.txt", "  {}"))) == Knowledge()


def test_csv_with_two_columns(tmp_path):
    content = '\ufeffBefore,after\r\na,"b, with a comma"\n\n1, c\n'
    expected = Knowledge(before=[("a", "b, with a comma"), ("1", "c")])
    assert read_knowledge(write(tmp_path, "known.csv", content)) == expected
    assert read_knowledge(write(tmp_path, "none.csv", "before,after\n")) == Knowledge()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "", "is empty. For JSON give an object with the keys before, tiers"),
        ("a.json", "{", r"this is no JSON \(line 1: "),
        ("a.json", "hello", r"this is no JSON \(line 1: "),
        ("a.json", "[" * 100_000, r"this is no JSON \(too deep"),
        ("a.json", '{"first": [' + "9" * 5000 + "]}", r"this is no JSON \(too deep, or with a num"),
        ("a.json", "[1, 2]", "holds a list, not an object; write"),
        ("a.json", '{"befor": []}', "unknown keys: 'befor'; did you mean 'before'"),
        ("a.json", '{"q": 1}', r"unknown keys: 'q'\. The keys are before, tiers, first, last"),
        ("a.json", '{"first": ["a"], "first": ["b"]}', "the key 'first' stands twice"),
        ("a.json", '{"first": "a"}', "first must be a list of names"),
        ("a.json", '{"first": null}', "first must be a list of names"),
        ("a.json", '{"first": [1.5]}', "first must hold names"),
        ("a.json", '{"before": [["a", "b", "c"]]}', "must be a pair"),
        ("a.json", '{"before": {"a": "b"}}', "before must be a list of pairs"),
        ("a.csv", "a,b\n", "the header is 'a,b'; expected the columns before and after"),
        ("a.csv", "before;after\na;b\n", "expected the columns before and after, separated by a"),
        ("a.csv", "before,after\na\n", "row 2 must hold two variables.* got 'a'"),
        ("a.csv", "before,after\na,\n", "row 2 must hold two variables"),
        ("a.csv", 'before,after\n"a,b\n', "this is no CSV"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0", "is no text of knowledge"),
        ("a.csv", b"before,after\na,\xff\n", "is no text of knowledge"),
    ],
)
def test_refuses_with_the_files_name(tmp_path, monkeypatch, name, content, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, name, content)
    with pytest.raises(InputError, match=message) as caught:
        read_knowledge(name)
    assert name in str(caught.value)


def test_refuses_a_missing_path_and_a_directory(tmp_path):
    with pytest.raises(InputError, match=r"Cannot read .*No such file"):
        read_knowledge(tmp_path / "absent.json")
    with pytest.raises(InputError, match="is a directory; give a JSON or CSV file"):
        read_knowledge(tmp_path)
    with pytest.raises(InputError, match="Cannot read"):
        read_knowledge("a\0b")
