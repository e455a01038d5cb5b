"""Every refusal's message stands in a test; what the check itself sees."""

from pathlib import Path

from tools.check_messages import UNREACHABLE, Message, messages, problems

ROOT = Path(__file__).resolve().parents[2]


def test_every_message_of_the_project_stands_in_a_test():
    assert problems(ROOT, UNREACHABLE) == []


def test_messages_are_read_with_gaps_where_something_is_filled_in(write_project):
    root = write_project(
        {
            "tracer/refusing.py": (
                "def f(name, kind):\n"
                "    what = 'a list' if kind else f'a {kind}'\n"
                "    raise StagingTypeError(f'`{name}` is {what}' + ' here')\n"
                "def g(text):\n"
                "    raise errors.UnsupportedError(text, 3, 'Mend it.')\n"
                "    raise ValueError('no refusal')\n"
            )
        }
    )
    assert [(m.line, m.text) for m in messages(root)] == [
        (3, "`…` is a list here"),
        (3, "`…` is a … here"),
        (5, "… cannot be converted"),
    ]


def test_a_message_without_a_test_is_told(write_project):
    root = write_project(
        {
            "runtime/refusing.py": (
                "def f(x):\n"
                "    raise StagingTypeError(f'{x} is refused')\n"
                "def g(x):\n"
                "    raise StagingTypeError(f'{x} is not told')\n"
            ),
            "tests/errors/test_f.py": "TEXT = '''a list\n      is refused'''\n",
        }
    )
    assert problems(root, {}) == ["runtime/refusing.py:4: no test says: … is not told"]


def test_a_text_has_to_hold_the_whole_message():
    message = Message("a.py", 1, "`…` is a … here.")
    assert message.is_in("TypeError: `x` is a list here. Mend it.")
    assert not message.is_in("`x` is a list here")
