"""A workspace on PostgreSQL: each study is a schema of its own, and can be opened alone."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from own_postgres import own_postgres
from served_study import accord, make_study
from served_workspace import PASSWORD, Workspace

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    for key in ("first", "Second-one"):
        make_study(folder / key)
    with own_postgres() as address:
        server = Workspace(folder, env={"ACCORD_DATABASE_URL": address})
        yield server, address
        server.stop()


def test_every_study_has_a_schema_of_its_own(team):
    import psycopg

    server, address = team
    owner = server.owner()
    for key, raters in (("first", "2"), ("Second-one", "1")):
        page = owner.post(f"/s/{key}/organiser/invite", {"number": raters}, page=f"/s/{key}/organiser/people")
        assert len(re.findall(rf"/s/{key}/i/[\w-]+</code>", page)) == int(raters)
    with psycopg.connect(address) as connection:
        rows = connection.execute(
            "SELECT table_schema FROM information_schema.tables WHERE table_name = 'server_rater' ORDER BY 1"
        ).fetchall()
        schemas = [row[0] for row in rows]
        assert schemas[0] == "study_first" and len(schemas) == 2 and schemas[1].startswith("study_second_one_")
        counts = [connection.execute(f"SELECT count(*) FROM {one}.server_rater").fetchone()[0] for one in schemas]
        assert counts == [2, 1]
        kept = connection.execute("SELECT count(*) FROM accord_workspace.auth_user").fetchone()[0]
        assert kept == 1
    assert not list(server.folder.glob("*/accord.sqlite3"))


def test_a_study_in_a_schema_is_opened_alone(team):
    server, address = team
    env = {"ACCORD_DATABASE_URL": f"{address}?schema=study_first"}
    done = accord("export", server.folder / "first", "--judgements", env=env)
    assert done.stdout.startswith("item") or "," in done.stdout


def test_a_study_of_a_workspace_is_found_alone_by_the_address_of_the_workspace(team, tmp_path):
    """A backup of an empty schema looked whole, and links that were made there opened nothing."""
    server, address = team
    env = {"ACCORD_DATABASE_URL": address}
    made = accord("invite", server.folder / "Second-one", "1", env=env)
    link = re.search(r"http\S+(/i/[\w-]+)", made.stdout)[1]
    rater = server.stranger()
    rater.get(f"/s/Second-one{link}")
    assert rater.status == 200 and rater.url.endswith("/welcome")
    saved = accord("backup", server.folder / "Second-one", tmp_path / "one.zip", env=env)
    assert "of 2 raters" in saved.stdout
    make_study(server.folder / "third")
    accord("invite", server.folder / "third", "1", env=env)
    import psycopg

    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT to_regclass('public.server_rater')").fetchone() == (None,)
        assert connection.execute("SELECT count(*) FROM study_third.server_rater").fetchone() == (1,)


def test_newcomers_of_one_moment_get_a_place_each(team):
    """SQLite has one writer at a time; PostgreSQL refused who was second to take the next place."""
    server, _ = team
    owner = server.stranger()
    owner.post("/sign-in", {"username": "ola", "password": PASSWORD})
    page = owner.post("/s/first/organiser/crowd", {"platform": "other"}, page="/s/first/organiser/people")
    link = re.search(r"http\S+/s/first/join/[\w-]+", page)[0]

    def come(name):
        person = server.stranger()
        person.get(f"{link}?participant={name}&session=s{name}")
        return person.status, person.url.endswith("/welcome")

    with ThreadPoolExecutor(16) as people:
        came = list(people.map(come, [f"p{number}" for number in range(12)] + ["same"] * 4))
    assert set(came) == {(200, True)}
