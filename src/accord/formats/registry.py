"""The one table of formats: reading, writing, detection, command line and docs are derived from it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.errors import OptionError
from accord.records import dataclass

if TYPE_CHECKING:
    from accord.formats.imported import Imported
    from accord.formats.options import ReadOptions

__all__ = ["FORMATS", "FormatSpec", "format_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """All that the rest of the program may ask about one format.

    ``detects`` is given the first 64 KB as text and the path, and answers with the reason why the
    file is in this format, or None. ``writes`` returns in words what it could not keep. ``plain``
    formats are tried only if no other recognises a file. Of a ``table`` the user may name the columns.

    ``detect``, ``read`` and ``write`` are names of functions in ``module``, which is loaded when one of them is called.
    One of the ``signs``, in small letters, is in the name or the beginning of every file of the format: without it the
    format is not asked.
    """

    name: str
    title: str
    module: str = ""
    detect: str = "detect"
    read: str = "read"
    write: str = ""
    signs: tuple[str, ...] = ("",)
    suffixes: tuple[str, ...] = ()
    becomes: str
    loss: str
    traps: str
    folder: bool = False
    plain: bool = False
    table: bool = False

    @property
    def takes_columns(self) -> bool:
        """Whether the user may say which column is what."""
        return self.plain or self.table

    @property
    def detects(self) -> Callable[[str, Path], str | None]:
        """Says why a file is in this format, or None."""
        function: Callable[[str, Path], str | None] = self._function(self.detect)
        return function

    @property
    def reads(self) -> "Callable[[Path, ReadOptions], Imported]":
        """Reads a file of this format."""
        function: Callable[[Path, ReadOptions], Imported] = self._function(self.read)
        return function

    @property
    def writes(self) -> "Callable[[Imported, Path], tuple[str, ...]] | None":
        """Writes a file of this format and says what was lost; None where nothing does."""
        return self._function(self.write) if self.write else None

    def _function(self, name: str) -> Any:
        return getattr(import_module(f"accord.formats.{self.module or self.name.replace('-', '_')}"), name)


# A table should look like one.
# fmt: off
FORMATS: dict[str, FormatSpec] = {spec.name: spec for spec in (
    FormatSpec(
        name="appraise", title="Appraise CSV", write="write", signs=("tgt", "chk", "ref", "bad", "item_type"),
        becomes="One row per score. Item is language pair:system:document:item; TGT, CHK, REF and BAD become the roles "
                "system, repeat, reference and degraded; a tutorial is practice; the two times become time_s. In an "
                "MQM campaign, whose scores are all 0, the score is minus the weighted errors.",
        loss="Reading keeps no start time and no flag. Writing keeps scores, spans with severity and category, role, "
             "language pair, system, document, segment and time_s; criteria and other columns are lost.",
        traps="There is no header; its export to JSON lines is read too. Spans are JSON or a Python literal, their "
              "last character is included, they count UTF-16 units. A document that ends in #bad is degraded, in #dup "
              "a repeat by the same rater, in #incomplete it fills up a batch: it counts under that role. Where a "
              "rater answered an item again, the last answer by time counts. Scores of whole documents are a criterion "
              "of their own. Batches may number segments anew: segments=position numbers them by their place in the "
              "document."),
    FormatSpec(
        name="google-mqm", title="Google MQM TSV", write="write", signs=("severity",),
        becomes="One row for each item and rater with the MQM score (minus the weighted errors, 0 is best); the errors "
                "are spans with category and severity.",
        loss="Reading keeps no column beyond the nine. Writing keeps errors, not values: a value that is not the sum "
             "of its errors is lost, and so are other columns and criteria.",
        traps="Nothing is quoted. Marked text stands in <v> tags. Case of severities drifts. HOTW rows are attention "
              "checks. A severity without a weight is an error, never 0."),
    FormatSpec(
        name="marot", title="Marot", signs=("\t{", "docsegid"),
        becomes="As Google MQM; spans come from token numbers where the file gives tokens, from <v> tags otherwise.",
        loss="Reading keeps no timestamps, notes, corrections, feedback or automatic metrics.",
        traps="Ten columns, the last is JSON; the header may have an eleventh with a remark. A tar.gz with one file "
              "is opened. Tokens count from 0 and the last one is included. Tokens may be given once for a "
              "segment. A line without a rater carries metadata only."),
    FormatSpec(
        name="mt-metrics-eval", title="mt-metrics-eval layout", write="write", signs=(".score", ".rating"),
        folder=True,
        becomes="One row for each line. The rater is the NAME of the file, the criterion is NAME without a number at "
                "its end; the item is system:line. .seg.rating files become MQM scores and spans.",
        loss="Reading a folder leaves averages (sys, domain, doc) and automatic metrics. Writing keeps segment scores "
             "only, one file per rater; segments become numbers.",
        traps="None is no score. Lines of a system are its segments in order. The end of a span is not included."),
    FormatSpec(
        name="pearmut", title="Pearmut JSONL", write="write", signs=("user_id",),
        becomes="One row for each segment, system and rater; sliders become criteria.",
        loss="Reading keeps no log of actions. Writing keeps scores, spans, system, document and segment.",
        traps="Offsets count UTF-16 units, up to version 1.1.4 without newlines, and the last one is included; places "
              "after the last character mean missing. __RESET__ masks what was submitted before; a later answer to a "
              "segment and system supersedes. item_i numbers the documents of one user where tasks differ."),
    FormatSpec(
        name="wmt25", title="WMT25 human evaluation", signs=("src_text",),
        becomes="One row for each humanN score; waves become batches.",
        loss="Reading keeps no automatic metrics.",
        traps="Offsets count UTF-16 units and the last one is included. annotatorN may be unknown."),
    FormatSpec(
        name="wmt26", title="WMT26 annotations", signs=("user_id",),
        becomes="As Pearmut, for each campaign; its name is the language pair, which is part of the item.",
        loss="As Pearmut.",
        traps="One JSON object, campaign -> lines. Items with _#_tutorial_#_ in their name get the role tutorial, "
              "those named attention_check_ and pages without a name the role attention. A reset masks what a user "
              "submitted in the same campaign."),
    FormatSpec(
        name="esa", title="ESA campaign table", signs=("span_errors",),
        becomes="One row per score, with spans.",
        loss="Reading keeps no start time and no language.",
        traps="Rows of type BAD are attention checks. An omission has start_i missing."),
    FormatSpec(
        name="label-studio", title="Label Studio JSON", write="write", signs=("annotation", "completion"),
        becomes="Every control (from_name) is a criterion; regions are spans; lead_time becomes time_s.",
        loss="Reading leaves out predictions and drops annotations that mark regions of pictures or sound. Writing "
             "loses comments, and columns that differ within an item.",
        traps="Offsets count UTF-16 units. A cancelled annotation is a rating without an answer. A choice on a region "
              "is its severity. Annotations of ground truth get the role gold."),
    FormatSpec(
        name="potato", title="Potato", signs=("instance_id", "label_annotations", "user_state"), folder=True,
        becomes="Every schema is a criterion; text boxes become comments.",
        loss="Reading leaves out pages of other phases (consent, training) and behaviour beyond the time.",
        traps="One user_state.json for each user, and exports of all: annotations.jsonl, .csv and .tsv with a column "
              "schema.label; in older versions one annotated_instances.jsonl, which does not say whose it is: the "
              "folder does. A choice has a label and a number: the label is the answer. Several ticked labels are a "
              "set. annotator_origin becomes kind."),
    FormatSpec(
        name="argilla", title="Argilla records", write="write", signs=("responses", "suggestion"),
        becomes="Every question is a criterion; a ranking becomes a label such as a>b=c.",
        loss="Reading leaves out suggestions and vectors. Writing loses comments, times, occasions and omissions.",
        traps="A draft is dropped, a discarded response is a rating without an answer. Three shapes of responses."),
    FormatSpec(
        name="prodigy", title="Prodigy JSONL", write="write",
        signs=("_input_hash", "_task_hash", "_session_id", "_annotator_id", "_view_id"),
        becomes="The accepted choices are the value; without choices the answer (accept, reject) is the value.",
        loss="Reading leaves out tokens and relations. Writing loses comments and times.",
        traps="An item is a task (_task_hash): one input is asked about several times. ignore is a rating without an "
              "answer; a later answer to a task supersedes. Without _annotator_id the rater is guessed from the file."),
    FormatSpec(
        name="doccano", title="doccano JSONL", write="write", signs=("annotation_approver", "\"text\""),
        becomes="Labels are values, several are a set; a file with spans only gets the criterion spans, whose value is "
                "their number.",
        loss="Reading leaves out relations. Writing loses times, and of spans the side and severity.",
        traps="A file does not say who annotated: doccano writes one file per user. Up to version 1.0 one file (JSON "
              "lines or CSV) holds all users, and labels are numbers without an order. Three shapes of spans."),
    FormatSpec(
        name="brat", title="brat standoff", signs=("\t",), folder=True,
        becomes="A document is an item, its text-bound annotations are spans, their number is the value of the "
                "criterion spans; the folder is the rater. An attribute severity becomes the severity; notes become "
                "comments.",
        loss="Reading leaves out relations, events, equivalences and links.",
        traps="A span of several parts counts once. An empty .ann file is a rating: nothing was marked. A document "
              "without its .txt is read, but places are not checked."),
    FormatSpec(
        name="webanno", title="WebAnno and INCEpTION TSV 3", signs=("webanno", "tudarmstadt"), folder=True,
        becomes="A sentence is an item, every layer of spans a criterion whose value is their number; in a folder the "
                "document is the folder and the rater the file. CURATION_USER gets the role gold.",
        loss="Reading leaves out relations, chains and layers that a program fills (parts of speech, lemmas, syntax).",
        traps="Offsets count UTF-16 units. Several tokens of one span share a number in brackets; stacked spans are "
              "separated by bars. INITIAL_CAS belongs to no rater."),
    FormatSpec(
        name="xliff", title="XLIFF 1.2 and 2.x with ITS 2.0", signs=("<xliff",), suffixes=(".xlf", ".xliff"),
        becomes="A translated segment is an item; the number of its localization quality issues is a rating (fewer is "
                "better), the issues are spans with their type and severity. locQualityRatingScore is a criterion of "
                "its own.",
        loss="Reading leaves out comments on issues, profiles, notes and inline codes.",
        traps="Issues stand inline (mrk, sm and em, or on the target) or standoff (locQualityIssuesRef). Who reviewed "
              "is named by annotatorsRef, revPerson or revOrg, else by the name of the file. Disabled issues do not "
              "count. Severities are numbers from 0 to 100, as ITS has them. Entities are not opened."),
    FormatSpec(
        name="promptfoo", title="promptfoo results", signs=("gradingresult",),
        becomes="One row for each output and model-graded assertion: the grader is a rater of the kind model, the "
                "metric a criterion; what a person rated has the kind human.",
        loss="Reading leaves out assertions that a program checks, costs and latency.",
        traps="A person's rating overrides what a row says as a whole: the parts are read. A repeat is another output. "
              "A default grader's model is not recorded."),
    FormatSpec(
        name="inspect", title="Inspect logs", module="inspect_log", signs=("\"eval\"", "pk"), suffixes=(".eval",),
        becomes="One row for each sample, epoch and scorer: the grader is a rater of the kind model; I, P and C are "
                "ordered, I and C alone are two values. A score that a person changed is that person's, beside the "
                "judge's.",
        loss="Reading leaves out scores of programs, events and messages.",
        traps="An epoch is another answer. N is no answer. A rubric gives one criterion for each key. An .eval file is "
              "an archive; as it is written today it is unpacked with the extra formats. A scorer of your own in a log "
              "with a grader is taken to ask it, and that is said."),
    FormatSpec(
        name="langfuse", title="Langfuse scores", signs=("source",),
        becomes="One row per score: its name is the criterion, the trace or observation the item; ANNOTATION has the "
                "kind human, EVAL the kind model.",
        loss="Reading leaves out scores that are texts or corrections, times and environments.",
        traps="Scores with the source API may be a judge's or a program's: their kind is not said."),
    FormatSpec(
        name="deepeval", title="DeepEval test runs", signs=("metricsdata", "metrics_data"),
        becomes="One row for each test case and metric: the evaluation model is a rater of the kind model. Threshold "
                "and good end of a metric go into the codebook.",
        loss="Reading leaves out logs, costs and traces.",
        traps="Names such as test_case_0 are places: such cases are named by their input and output. Of some metrics "
              "less is better: which end is good is seen from success around the threshold."),
    FormatSpec(
        name="mlflow", title="MLflow assessments", signs=("assessment", "/score"),
        becomes="One row for each assessment of a trace: LLM_JUDGE has the kind model, HUMAN the kind human. Of the "
                "table of mlflow.evaluate one row for each output and judge.",
        loss="Reading leaves out expectations, assessments of programs and of single steps.",
        traps="A judge's verdict that a person overrode is still the judge's. The table does not say which model "
              "judged."),
    FormatSpec(
        name="mturk", title="Mechanical Turk batch results", signs=("hitid",),
        becomes="One row for each assignment and answer: every Answer. column is a criterion, the item is the Input. "
                "column that names it or else the HIT; WorkTimeInSeconds becomes time_s.",
        loss="Reading leaves out inputs that are no texts, systems or documents, and what concerns pay and dates.",
        traps="A rejected assignment does not count; one that waits for a decision does. Options may have a column "
              "each with true or false, and forms one column taskAnswers with JSON."),
    FormatSpec(
        name="huggingface", title="Hugging Face dataset rows", table=True, signs=("par1", "row_idx"),
        becomes="A plain table, long or wide, in which numbers of a ClassLabel are their names.",
        loss="Nothing is lost in reading.",
        traps="-1 is no label. A page of JSON rows may hold cut cells, which is an error."),
    FormatSpec(
        name="xlsx-raters", title="Excel, one sheet per rater", module="excel", detect="detect_raters",
        read="read_raters", write="write_raters", signs=("pk",), suffixes=(".xlsx",),
        becomes="The sheet is the rater, the columns beside the item are criteria.",
        loss="Reading leaves out formats and formulas (their last result is read). Writing loses all columns but item, "
             "rater, criterion and value, and spans.",
        traps="A workbook that unpacks to more than 512 MB is refused. Error cells (#N/A) are no answer."),
    FormatSpec(
        name="xlsx-criteria", title="Excel, one sheet per criterion", module="excel", detect="detect_criteria",
        read="read_criteria", write="write_criteria", signs=("pk",), suffixes=(".xlsx",),
        becomes="The sheet is the criterion, the columns beside the item are raters.",
        loss="As for one sheet per rater.",
        traps="As for one sheet per rater; where names do not tell the two apart, the format must be named."),
    FormatSpec(
        name="spss", title="SPSS .sav and .por", table=True, write="write", signs=("ascii spss port", "$fl"),
        suffixes=(".sav", ".zsav", ".por"),
        becomes="A plain table, long or wide; labelled values become a declared scale where all values have labels.",
        loss="Reading leaves out which of several missing values was given. Writing keeps a long file; spans are lost.",
        traps="Values the user declared missing are no ratings. Labels of raters and items become their names."),
    FormatSpec(
        name="stata", title="Stata .dta", table=True, signs=("<stata_dta>", "\x01\0"), suffixes=(".dta",),
        becomes="As SPSS.", loss="As SPSS; it is not written.",
        traps="Values from .a to .z are no ratings. Files of Stata 7 and before are refused."),
    FormatSpec(
        name="sas", title="SAS .sas7bdat and .xpt", table=True, signs=("header record", "\0\0"),
        suffixes=(".sas7bdat", ".xpt"),
        becomes="As SPSS, without labels of values.", loss="As SPSS; it is not written.",
        traps="Labels of values lie in a catalogue (.sas7bcat), which is not read."),
    FormatSpec(
        name="contingency", title="Contingency table of two raters", module="counted", detect="detect_contingency",
        read="read_contingency",
        becomes="One item for each count, numbered: the row is the value of one rater, the column that of the other. "
                "The corner may name them: Anna / Ben.",
        loss="Which item is which, the table does not say.",
        traps="Rows and columns must have the same names. A row or column of totals is left out. Shares are refused."),
    FormatSpec(
        name="counts", title="Counts of each category for each item", module="counted", detect="detect_counts",
        read="read_counts",
        becomes="One rating for each count. A table with a column count (freq, n) holds patterns instead: the other "
                "columns are raters, and each row is as many items.",
        loss="Who gave which rating, the table does not say: raters are numbered within an item.",
        traps="Recognised where five or more rows add up to the same number; else it must be named (--format counts), "
              "as a table with one column per rater looks the same. Wide ratings that do so are read with --wide."),
    FormatSpec(
        name="csv", title="CSV, one row per rating (or wide)", module="plain", detect="detect_csv", read="read_csv",
        write="write_csv", suffixes=(".csv",), plain=True,
        becomes="Columns are found by name; a table with one column per rater is read as such.",
        loss="Writing loses spans. Text that begins with = + - @ gets an apostrophe in front.",
        traps="Every guess about columns, scale and level is stated in the notes."),
    FormatSpec(
        name="tsv", title="TSV, one row per rating (or wide)", module="plain", detect="detect_tsv", read="read_tsv",
        write="write_tsv", suffixes=(".tsv", ".tab"), plain=True,
        becomes="As CSV.", loss="As CSV.", traps="As CSV."),
    FormatSpec(
        name="wide-csv", title="CSV, one column per rater", module="plain", detect="detect_wide", read="read_wide_csv",
        write="write_wide_csv", suffixes=(".csv",), plain=True,
        becomes="Every column that is not known by name is a rater.",
        loss="Writing keeps item, criterion, rater and value.",
        traps="Must be named (--format wide-csv) where columns of raters do not look like it."),
    FormatSpec(
        name="jsonl", title="JSON lines, one object per rating", module="plain", detect="detect_jsonl",
        read="read_jsonl", write="write_jsonl", suffixes=(".jsonl", ".ndjson", ".json"), plain=True,
        becomes="As CSV; a list of labels is a set.", loss="Writing loses spans.", traps="As CSV."),
    FormatSpec(
        name="parquet", title="Parquet, one row per rating", module="plain", detect="detect_parquet",
        read="read_parquet", write="write_parquet", suffixes=(".parquet", ".pq"), plain=True,
        becomes="As CSV.", loss="Writing loses spans.", traps="As CSV."),
    FormatSpec(
        name="xlsx", title="Excel, one row per rating", module="excel", detect="detect_plain", read="read_plain",
        write="write_plain", suffixes=(".xlsx", ".xlsm"), plain=True,
        becomes="As CSV, from the first sheet that is no short legend; --sheet names another.",
        loss="Writing loses spans.",
        traps="A workbook that unpacks to more than 512 MB is refused. Text is written as text, never as a formula."),
)}
# fmt: on


def format_named(name: str) -> FormatSpec:
    """The format of this name, or an error that lists them all."""
    if name not in FORMATS:
        raise OptionError(f"There is no format {name!r}. Known: {', '.join(FORMATS)}.")
    return FORMATS[name]
