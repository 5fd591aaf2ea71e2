"""Names that people give to columns of ratings in other languages than English, and how names are compared."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["NAMES_ELSEWHERE", "TEXTS_ELSEWHERE", "plain_name"]

NAMES_ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "item": (
        "element", "einheit", "beispiel", "aufgabe", "item-nr", "item nummer", "satz-id", "satznummer", "satz-nr",
        "segment-nr", "segmentnummer", "nr", "nummer", "lfd nr", "laufende nummer",
        "elemento", "unidad", "ejemplo", "tarea", "número", "núm", "n.º",
        "unidade", "exemplo", "tarefa",
        "élément", "unité", "exemple", "tâche", "numéro",
        "esempio", "unità", "compito", "numero",
        "条目", "项目", "样本", "样本编号", "句子编号", "编号", "序号", "المعرف", "رقم", "العنصر",
    ),
    "rater": (
        "bewerter", "bewerterin", "bewertende", "bewertende person", "rater-in", "annotatorin", "annotierende",
        "gutachter", "gutachterin", "prüfer", "prüferin", "beurteiler", "beurteilerin", "kodierer", "kodiererin",
        "teilnehmer", "teilnehmerin", "proband", "probandin", "vp", "versuchsperson", "benutzer", "nutzer",
        "übersetzer", "übersetzerin", "ihr name", "e-mail-adresse", "benutzername", "e-mail",
        "evaluador", "evaluadora", "anotador", "anotadora", "juez", "jueza", "revisor", "revisora", "participante",
        "traductor", "traductora", "usuario", "encuestado", "dirección de correo electrónico", "correo electrónico",
        "avaliador", "avaliadora", "juiz", "juíza", "tradutor", "tradutora", "usuário", "endereço de e-mail",
        "évaluateur", "évaluatrice", "annotateur", "annotatrice", "juge", "correcteur", "correctrice", "réviseur",
        "participant-e", "participante", "traducteur", "traductrice", "utilisateur", "adresse e-mail",
        "valutatore", "valutatrice", "annotatore", "annotatrice", "giudice", "revisore", "partecipante",
        "indirizzo email",
        "评分员", "评分者", "评价者", "评价人", "评委", "评审", "标注员", "标注者", "标注人", "受试者", "参与者",
        "译员", "المقيم", "المُقيّم", "المشارك", "المحكم",
    ),
    "value": (
        "bewertung", "wert", "punkte", "punktzahl", "urteil", "antwort", "einstufung", "kategorie",
        "puntuación", "valoración", "calificación", "valor", "juicio", "respuesta", "categoría", "puntaje",
        "pontuação", "avaliação", "julgamento", "resposta", "categoria",
        "évaluation", "score", "jugement", "valeur", "réponse", "catégorie",
        "punteggio", "valutazione", "giudizio", "voto", "valore", "risposta",
        "评分", "分数", "得分", "打分", "评价", "评级", "标签", "判断", "الدرجة", "التقييم", "القيمة",
    ),
    "criterion": (
        "kriterium", "merkmal", "criterio", "critério", "critère", "dimensión", "dimensão", "dimensione",
        "标准", "维度", "指标", "المعيار",
    ),
    "system": (
        "systeme", "modell", "mt-system", "sistema", "modelo", "système", "modèle", "modello",
        "系统", "模型", "النظام", "النموذج",
    ),
    "document": ("dokument", "documento", "文档", "文件", "文章", "المستند", "الوثيقة"),
    "segment": (
        "satz", "segmento", "frase", "oración", "oração", "phrase", "句子", "句段", "片段", "الجملة", "المقطع",
    ),
    "language_pair": (
        "sprachpaar", "sprachrichtung", "par de idiomas", "par de lenguas", "combinación lingüística", "par de línguas",
        "par linguístico", "paire de langues", "combinaison linguistique", "coppia linguistica", "语言对", "زوج اللغات",
    ),
    "condition": ("bedingung", "condición", "condição", "condizione", "条件", "الشرط"),
    "group": ("gruppe", "grupo", "groupe", "gruppo", "组别", "المجموعة"),
    "round": ("runde", "ronda", "rodada", "tour"),
    "comment": (
        "kommentar", "kommentare", "anmerkung", "anmerkungen", "bemerkung", "bemerkungen", "comentario", "comentarios",
        "observaciones", "nota", "notas", "comentário", "comentários", "commentaire", "commentaires", "remarque",
        "remarques", "commento", "commenti", "备注", "评论", "意见", "ملاحظات", "تعليق",
    ),
}  # fmt: skip
"""Contract name -> names in German, Spanish, Portuguese, French, Italian, Chinese and Arabic."""

TEXTS_ELSEWHERE = (
    "quelle", "ausgangstext", "quelltext", "zieltext", "übersetzung", "referenz", "kontext", "satztext",
    "texto", "origen", "texto de origen", "texto original", "traducción", "texto meta", "referencia", "contexto",
    "texto de partida", "texto de chegada", "tradução", "referência",
    "texte", "texte source", "texte cible", "traduction", "référence", "contexte",
    "testo", "testo di partenza", "traduzione", "riferimento",
    "原文", "源文", "译文", "参考译文", "文本", "النص", "النص المصدر", "الترجمة",
)  # fmt: skip
"""Names of columns that hold a text of the item, in the same languages."""


@lru_cache(maxsize=1 << 12)
def plain_name(name: str) -> str:
    """A name of a column without case, accents, blanks and signs: «Évaluateur» and «evaluateur» are one."""
    apart = unicodedata.normalize("NFKD", name.casefold().replace("n°", "nr"))
    return "".join(letter for letter in apart if letter.isalnum())
