"""What ``accord serve`` says before it serves."""


def test_a_folder_that_is_not_there_is_answered_with_both_ways_to_begin(accord_command):
    done = accord_command("serve", "nowhere")
    assert done.returncode == 2
    assert "begin with an empty one (mkdir nowhere)" in done.stderr and "accord new PRESET nowhere" in done.stderr
