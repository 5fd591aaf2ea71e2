"""Odd headers, rows, files and raters, each just below, at and just above a mark, and what is read of them."""

import gzip
import io
import tarfile
import tempfile
import zipfile
from pathlib import Path
from random import Random

import accord
from accord.ratings.build import build_ratings
from accord.ratings.sanity import sanity
from accord.ratings.tidying import tidied
from accord.words import spelled
from ratings.odd_answers import answers, bodies, codes, levels, read_as, tried


def told_of(text, **options):
    """What is read of a text: which columns are what, rows as far as they are few, and all that is said."""
    made = accord.read(io.StringIO(text) if isinstance(text, str) else io.BytesIO(text), **options)
    columns = {"item": made.item, "rater": made.rater, **made.columns}
    shown = {name: " ".join(dict.fromkeys(factor.labels()))[:120] for name, factor in columns.items()}
    labels = [factor.labels() for factor in columns.values()]
    values = [spelled(made.scale.values[code]) for code in made.value.tolist()]
    first = [" ".join([values[row], *(str(one[row]) for one in labels)]) for row in (0, len(made) - 1)]
    numbers = [f"{name}: {cells[:3].tolist()}" for name, cells in made.numbers.items()]
    named = [f"named by {made.codebook.item.named_by}"] if len(made.codebook.item.named_by) > 1 else []
    return [*(f"{name}: {one}" for name, one in shown.items()), *numbers, *named, *first, *read_as(made)]


def table_of(head, rows):
    return "\n".join([head, *rows])


def long_rows(of, items=4, raters=3):
    """One row a rating of ``of`` (item, rater, place)."""
    return [of(item, rater, item * raters + rater) for item in range(items) for rater in range(raters)]


def value(item, rater):
    return 1 + (item * 2 + rater) % 5


HEADS = (
    ("item,rater,value", lambda i, r, n: f"i{i},R{r},{value(i, r)}"),
    ("ID,Annotator,Fluency,Adequacy", lambda i, r, n: f"{i},R{r},{value(i, r)},{value(i, r + 1)}"),
    ("item,rater,value,fluency", lambda i, r, n: f"i{i},R{r},{value(i, r)},{value(i, r + 1)}"),
    ("item,rater,value,errors,time", lambda i, r, n: f"i{i},R{r},{value(i, r)},{r},{9 + n}"),
    ("item,rater,errors", lambda i, r, n: f"i{i},R{r},{value(i, r)}"),
    ("item,rater,fluency (1-5),adequacy (0-100)", lambda i, r, n: f"i{i},R{r},{value(i, r)},{20 * value(i, r)}"),
    ("item,rater,score (1-5)", lambda i, r, n: f"i{i},R{r},{9 if n == 5 else value(i, r)}"),
    ("item,rater,score (2-9)", lambda i, r, n: f"i{i},R{r},{value(i, r)}"),
    ("n,text,rater,score", lambda i, r, n: f"{n + 1},sentence {i},R{r},{value(i, r)}"),
    ("n,document,segment,rater,score", lambda i, r, n: f"{n + 1},d{i // 2},{i % 2},R{r},{value(i, r)}"),
    ("text,rater,score,system", lambda i, r, n: f"text {i // 2},R{r},{value(i, r)},{'AB'[i % 2]}"),
    ("item,language_pair,rater,score", lambda i, r, n: f"{i // 2},{('en-de', 'en-fr')[i % 2]},R{r},{value(i, r)}"),
    ("item,src_lang,tgt_lang,rater,score", lambda i, r, n: f"{i},en,{('de', 'fr')[i % 2]},R{r},{value(i, r)}"),
    ("item,rater,Note", lambda i, r, n: f"i{i},R{r},{value(i, r)}"),
    ("item,rater,Note", lambda i, r, n: f"i{i},R{r},remark {n}"),
    ("item,rater,sysA,sysB", lambda i, r, n: f"i{i},R{r},{value(i, r)},{value(i, r + 2)}"),
    ("item,rater,criterion,score", lambda i, r, n: f"i{i},R{r},{'xy'[n % 2]},{value(i, r)}"),
    ("item,rater,criterion,score,quality", lambda i, r, n: f"i{i},R{r},{'xy'[n % 2]},{value(i, r)},{value(i, 1)}"),
    ("item,rater,score,rating", lambda i, r, n: f"i{i},R{r},{value(i, r)},{value(i, 1)}"),
    ("item,rater", lambda i, r, n: f"i{i},R{r}"),
    ("rater,value", lambda i, r, n: f"R{r},{value(i, r)}"),
    ("item,rater,a,b", lambda i, r, n: f"i{i},R{r},{'yes' if n % 2 else 'no'},{value(i, r)}"),
    ("item,rater,value,answer", lambda i, r, n: f"i{i},R{r},{value(i, r)},{value(i, 2)}"),
    ("item,rater,value,order,time_s", lambda i, r, n: f"i{i},R{r},{value(i, r)},{n},{n / 2 if n else ''}"),
    ("Item,Rater,Value,Occasion", lambda i, r, n: f"i{i // 2},R{r},{value(i, r)},{1 + i % 2}"),
    ("item,rater,value", lambda i, r, n: f"i{i // 2},R{r},{value(i, r)}"),
    ("item,rater,value,turn", lambda i, r, n: f"i{i // 2},R{r},{value(i, r)},t{i % 2}"),
    ("item,rater,value,severity", lambda i, r, n: f"i{i // 2},R{r},{value(i, r)},{('minor', 'major')[i % 2]}"),
    ("item,rater,value", lambda i, r, n: f"{'i' + str(i) if r == 0 else ''},R{r},{value(i, r)}"),
    ("item,rater,value", lambda i, r, n: f"i{i},{'R' + str(r) if n != 4 else ''},{value(i, r)}"),
    ("item,rater,value", lambda i, r, n: f"i{i},{'R1 ' if n == 4 else 'R' + str(r)},{value(i, r)}"),
    ("item,rater,value", lambda i, r, n: f"i{i},{'r1' if n == 4 else 'R' + str(r)},{value(i, r)}"),
    ("item,rater,value,kind", lambda i, r, n: f"i{i},R{r},{value(i, r)},{('human', 'LLM', 'human')[r]}"),
    ("item,rater,value", lambda i, r, n: f"i{i},{('gpt-4', 'Ann', 'Ben')[r]},{value(i, r)}"),
    ("item,rater,value,role", lambda i, r, n: f"i{i},R{r},{value(i, r)},{('', 'ref', 'TGT', 'bad')[i]}"),
    ("segment id;annotator;score;", lambda i, r, n: f"{i};R{r};{value(i, r)},5;"),
    ("item|rater|value", lambda i, r, n: f"i{i}|R{r}|{value(i, r)}"),
    ("item\trater\tvalue", lambda i, r, n: f"i{i}\tR{r}\t\"{value(i, r)}\""),
)  # fmt: skip
WIDE = (
    ("item,Ann,Ben", "a,1,2", "b,3,4", "c,5,1"), ("item,R1,R2,R3", "a,1,2,", "b,3,,4", "c,5,1,2"),
    ("R1,R2", "1,2", "3,4"), ("judge 1,judge 2", "1,2", "3,4", "5,5", "2,1", "1,2", "1,1", "3,3"), ("x,y", "1,2"),
    ("x,y", "1,2", "3,4"), ("id,x,y,comment", "1,1,2,hm", "2,3,4,"), ("text,Ann,Ben,mean", "a,1,2,1.5", "b,3,4,3.5"),
    ("text,Ann,Ben,time,words", "a,1,2,30,4", "b,3,4,31,5"), ("text,fluency,adequacy", "a,1,2", "b,3,4"),
    ("text,Ann fluency,Ann adequacy,Ben fluency,Ben adequacy", "a,1,2,3,4", "b,3,4,1,2"),
    ("text,Ann fluency,Ann adequacy,Ben fluency", "a,1,2,3", "b,3,4,1"),
    ("text,Judge 1 Fluency,judge 2 fluency", "a,1,2", "b,3,4"),
    ("text,fluency_r1,fluency_r2,adequacy_r1,adequacy_r2", "a,1,2,3,4", "b,3,4,1,2"),
    ("Timestamp,Name,Text 1,Text 2,Text 3", "1,Ann,1,2,3", "2,Ben,3,4,5"),
    ("Timestamp,Is 1 of good fluency,Is 2 of good fluency,Is 1 of good style,Is 2 of good style,age",
     "t,1,2,3,4,30", "u,5,4,3,2,41"),
    ("Timestamp,Text 1 [Fluency],Text 1 [Style],Text 2 [Fluency],Text 2 [Style]", "t,1,2,3,4", "u,5,4,3,2"),
    ("Timestamp,Fluency [Text 1],Fluency [Text 2],Style [Text 1],Style [Text 2]", "t,1,2,3,4", "u,5,4,3,2"),
    ("rater,Q1,Q2,Q3", "Ann,1,2,3", "Ben,5,4,3"), ("name,Q1,Q2,Q3", "Ann,1,2,3", "Ben,5,4,3"),
    ("Timestamp,Q1,Q2,Q3,Q4", "t,5,7,5,7", "u,1,2,3,4"), ("Timestamp,Q1,Q2,Q3,Q4", "t,3,5,4,90", "u,1,2,3,4"),
    ("item,Ann,Ben,Cem", "a,good,bad,fair", "b,bad,fair,good", "c,fair,good,bad"),
    ("item,Ann,Ben", "a,yes,no", "b,no,no", "c,yes,yes"), ("item,Ann,Ben", "a,yes,no", "b,maybe,never", "c,x,y"),
    ("item,2023,2024", "a,1,2", "b,3,4"), ("item,Ann,Ann,Ben", "a,1,2,3", "b,3,4,5"), ("item,Ann,", "a,1,2", "b,3,4"),
    ("item,Ann,Ben", "a,1,2", "a,3,4"), ("item,rater,Ann,Ben", "a,X,1,2", "b,X,3,4"),
)  # fmt: skip
OPTIONS = (
    {"level": "nominal"}, {"level": "interval"}, {"level": "odd"}, {"scale": "1,2,3,4,5"}, {"scale": "1..5"},
    {"scale": "0-4"}, {"scale": "1..3"}, {"scale": "5<4<3<2<1"}, {"scale": "1=bad,2=b,3=c,4=d,5=good"},
    {"scale": "a,b"}, {"scale": "1..5", "level": "ratio"}, {"scale": "0.5..5.5"}, {"direction": "high"},
    {"direction": "low"}, {"direction": "up"}, {"missing": ["1"]}, {"missing": ["1", "x"]},
    {"map_rater": {"R1": "Ann"}}, {"map_rater": {"R1": "R0"}}, {"map_rater": {"R9": "Ann"}}, {"duplicates": "first"},
    {"duplicates": "last"}, {"duplicates": "mean"}, {"duplicates": "all"}, {"separator": "|"}, {"item": "rater"},
    {"item": ["item", "rater"]}, {"value": "nothing"}, {"rater": "item"}, {"wide": True}, {"wide": ["value"]},
    {"wide": ["no"]}, {"wide": False}, {"drop_off_scale": True}, {"drop_off_scale": True, "scale": "1..4"},
    {"scale": "fluency:1..5"}, {"direction": "fluency:low"}, {"level": "ordinal", "scale": "1..5"},
    {"delimiter": ";"}, {"delimiter": "ab"}, {"format": "jsonl"}, {"format": "odd"}, {"encoding": "latin-1"},
    {"encoding": "odd"}, {"sheet": 1},
)  # fmt: skip


def heads(seed):
    asked = [(head, table_of(head, long_rows(of))) for head, of in HEADS[seed::4]]
    return [[head, *tried(lambda text=text: told_of(text))] for head, text in asked]


def wide(seed):
    return [[rows[0], *tried(lambda rows=rows: told_of("\n".join(rows)))] for rows in WIDE[seed::4]]


def options(seed):
    rows = (
        table_of("item,rater,value", long_rows(lambda i, r, n: f"i{i},R{r},{value(i, r)}")),
        table_of("item,rater,value", long_rows(lambda i, r, n: f"i{i // 2},R{r},{value(i, r)}")),
        table_of("item,rater,value", long_rows(lambda i, r, n: f"i{i},R{r},{'abc'[n % 3]}|{'ab'[n % 2]}")),
    )  # fmt: skip
    return [
        [f"{given} {place}", *tried(lambda text=text, given=given: told_of(text, **given))]
        for given in OPTIONS[seed::4]
        for place, text in enumerate(rows)
        if place == 0 or set(given) & {"duplicates", "separator", "level", "scale", "map_rater"}
    ]


TIDY = (
    ["a,b", "1,2"], ["My study,", "", "item,rater,value", "i,R,1"], ["Date:,2 May,", "", "item,rater,value", "i,R,1"],
    ["Date:,2 May,", "item,rater,value", "i,R,1"], ["Scores,,", "item,Ann,Ben", "i,1,2"],
    [",Ann,,Ben,", "item,fluency,style,fluency,style", "i,1,2,3,4"], ["item,Ann,Ben", ",fluency,style", "i,1,2"],
    ["item,Ann,", ",fluency,style", "i,1,2"], ["item,Ann,", ",fluency,", "i,1,2"], ["item,Ann,", ",1,2", "i,1,2"],
    ["item,Ann,", ",fluency,style", "i,x,y"], ["Q1,Q2", "What?,How?", '{"ImportId":"a"},{"ImportId":"b"}', "1,2"],
    ["Q1,Q2", '{"ImportId":"a"},x', "1,2"], ["Q1,Q2,Q3", '{"ImportId":"a"},x,y', "1,2,3"],
    ["item,Ann,Ben", "i,1,2", "j,3,4", "Total,4,6"], ["item,Ann,Ben", "i,1,2", "Total,1,2", "j,3,4", "Mean,2,3"],
    ["item,Ann,Ben", "i,1,2", "j,3,4", "n:,2,2"], ["item,Ann,Ben", "i,1,2", "j,3,4", "count,2,2"],
    ["item,Ann,Ben", "i,1,2", "", "j,3,4", ",,"], ["item,Ann,Ben", "i,1,2", "j,3,4", "Source: me,,"],
    ["item,Ann,Ben", "i1,1,2", "i2,3,4", "i3,,"], ["item,Ann,Ben", "i1,1,2", "i1,3,4", "i3,,"],
    ["item,rater", "i,1", "j,"], ["item,Ann,Ben", "i,1,2", "j,3,4", "12,,"],
    ["item,Ann,Ben", "i,1,2", "Note one,,", "Note two,,"], ["title", "sub", "item,rater,value", "i,R,1"],
    ["", "a,b,c", "1,2,3"], ["x,y", "", "a,b,c", "1,2,3"], ["x,y", "a,b,c", "1,2,3"],
    *(["t"] * n + ["a,b,c", "1,2,3"] for n in (19, 20, 21)),
)  # fmt: skip


def tidy(_):
    found = []
    for lines in TIDY:
        numbered = [(at, line) for at, line in enumerate(lines, start=1) if line]
        made = tidied([line.split(",") for _, line in numbered], [at for at, _ in numbered])
        found.append(
            f"{lines[:5]}: {made.header} {list(map(list, made.rows))} {list(made.lines)} {list(made.questions)}"
        )
        found += [*map(str, made.left_out), *made.notes]
    return found


def beside(values, others):
    """Ratings of one rater beside those of others: {rater: values}."""
    given = {"R0": values, **others}
    rows = [(f"i{at:02}", name, one) for name, held in given.items() for at, one in enumerate(held) if one is not None]
    columns = dict(zip(("item", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))
    return build_ratings(columns)


def run(seed, number, steps, noise=0.5):
    rng = Random(seed)
    truths = [rng.uniform(1, steps) for _ in range(number)]
    return [max(1, min(steps, round(one + rng.gauss(0, noise)))) for one in truths]


def looks(seed):
    """What a look finds of a rater beside two others: another scale, the other way, a row off, the same twice."""
    base = 50 + seed
    found = []
    for number in (9, 10, 11, 12, 13, 19, 20, 25, 40):
        others = {f"R{n}": run(base * 1000, number, 5, 0.45 * n) for n in (1, 2)}
        same = others["R1"]
        cases = {
            "turned": [6 - one for one in same],
            "turned by half": [6 - one if at % 2 else one for at, one in enumerate(same)],
            "below": [*same[1:], 3], "above": [3, *same[:-1]], "two below": [*same[2:], 3, 3],
            "same": same, "same but one": [*same[:-1], 1 + same[-1] % 5], "same with gaps": [None, *same[1:]],
            "constant": [3] * number,
        }  # fmt: skip
        for name, values in cases.items():
            for few in (others, {"R1": others["R1"]}):
                made = beside(values, few)
                found += [f"{number} {name} of {len(few) + 1}: {one}" for one in sanity(made)]
    return found


def other_scales(_):
    found = []
    hundred = [37, 55, 60, 62, 68, 71, 75, 80, 84, 88, 90, 93, 95, 98, 100, 77, 66, 59, 81, 92, 40, 50]
    for name, values in {
        "of 5": [1 + n % 5 for n in range(22)], "of 10": [1 + n % 10 for n in range(22)],
        "of 11": [1 + n % 11 for n in range(22)], "shares": [round(0.1 + 0.04 * n, 2) for n in range(22)],
        "two values": [1 + n % 2 for n in range(22)], "negative": [n % 5 - 1 for n in range(22)],
        "of 4, few": [1, 2, 3, 4], "of 5, fewest": [1, 2, 3, 4, 5], "of 20": list(range(22)),
        "halves": [1 + n % 5 + 0.5 for n in range(22)],
    }.items():  # fmt: skip
        for low in (0, 1, 2, 6):
            lowered = [n % 5 if at < low else one for at, one in enumerate(hundred) for n in (at + 1,)]
            for raters in (1, 2, 3):
                others = {f"R{n + 1}": [one - n for one in lowered] for n in range(raters)}
                made = beside(values, others)
                found += [
                    f"{name}, {low} low, beside {raters}: {one}" for one in sanity(made) if one.code == "other_scale"
                ]
    for name, values in {
        "long": [20 + 5 * n for n in range(22)],
        "half": [5] * 12 + [99] * 9 + [98],
        "just over": [24 + n % 3 for n in range(22)],
    }.items():
        for raters in (1, 2):
            others = {f"R{n + 1}": [1 + (k + n) % 5 for k in range(22)] for n in range(raters)}
            found += [
                f"{name} beside {raters}: {one}" for one in sanity(beside(values, others)) if one.code == "other_scale"
            ]
    others = {"R1": [1 + n % 5 for n in range(22)], "R2": [20 + n for n in range(22)]}
    return found + list(map(str, sanity(beside([2 + n % 4 for n in range(22)], {**others, "R3": others["R2"]}))))


def files(_):
    """The same table in every wrapping, and damaged ones."""
    text = table_of("item,rater,value,comment", long_rows(lambda i, r, n: f"i{i},R{r},{value(i, r)},süß {n}", items=3))
    plain = text.encode()
    tar, zipped = io.BytesIO(), io.BytesIO()
    for names, kept in ((("t.csv",), tar), (("a.csv", "b.csv"), (two := io.BytesIO())), ((), (none := io.BytesIO()))):
        with tarfile.open(fileobj=kept, mode="w") as archive:
            for name in names:
                told = tarfile.TarInfo(name)
                told.size = len(plain)
                archive.addfile(told, io.BytesIO(plain))
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("t.csv", plain)
    rows = [line.split(",") for line in text.split("\n")]
    objects = "\n".join(str(dict(zip(rows[0], row, strict=True))).replace("'", '"') for row in rows[1:])
    given = {
        "plain.csv": plain, "bom.csv": b"\xef\xbb\xbf" + plain, "utf16.csv": text.encode("utf-16"),
        "utf16le.csv": text.encode("utf-16-le"), "utf32.csv": text.encode("utf-32"),
        "latin.csv": text.encode("latin-1"), "packed.csv.gz": gzip.compress(plain),
        "cut.csv.gz": gzip.compress(plain)[:-9], "tar.csv": tar.getvalue(), "two.tar": two.getvalue(),
        "none.tar": none.getvalue(), "cut.tar": tar.getvalue()[:600], "zip.xlsx": zipped.getvalue(),
        "cut.xlsx": zipped.getvalue()[:40], "a.pdf": b"%PDF-1.4", "a.png": b"\x89PNG", "a.xls": b"\xd0\xcf\x11\xe0",
        "a.db": b"SQLite format 3", "a.sav": b"$FL2", "a.pkl": b"\x80\x04\x95", "empty.csv": b"",
        "blank.csv": b"  \n", "control.csv": b"item,rater,value\ni,R,\x00\x01\n",
        "quote.csv": plain + b'\n"open,R1,2,x', "ragged.csv": plain + b"\ni9,R1\n",
        "wide.csv": plain + b"\ni9,R1,2,x,y,z\n", "objects.jsonl": objects.encode(),
        "list.json": f"[{objects.replace(chr(10), ',')}]".encode(), "odd.jsonl": objects.encode() + b"\n[1]\n",
        "half.jsonl": objects.encode()[:-9], "tabs.tsv": text.replace(",", "\t").encode(),
        "bad.parquet": b"PAR1 nothing", "semi.txt": text.replace(",", ";").encode(), "head.csv": rows[0][0].encode(),
        "only_head.csv": ",".join(rows[0]).encode(), "cr.csv": text.replace("\n", "\r").encode(),
        "comment.csv": b"# made today\n" + plain, "sep.csv": b"sep=;\n" + text.replace(",", ";").encode(),
    }  # fmt: skip
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, data in given.items():
            path = Path(folder) / name
            path.write_bytes(data)
            told = tried(
                lambda path=path: [*read_as(made := accord.read(path)), str(made.columns.get("comment", "none"))[:200]]
            )
            found.append([name, *(line.replace(folder, "FOLDER") for line in told)])
    return found


ODD = {
    "answers": (answers, 12), "codes": (codes, 1), "levels": (levels, 1), "bodies": (bodies, 4), "heads": (heads, 4),
    "wide": (wide, 4), "options": (options, 4), "tidy": (tidy, 1), "looks": (looks, 2),
    "other-scales": (other_scales, 1), "files": (files, 1),
}  # fmt: skip
"""What is asked of odd tables, and of how many seeds."""
