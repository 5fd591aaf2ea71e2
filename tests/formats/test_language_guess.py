"""The language of texts is guessed where their letters or commonest words tell it, and left open where they do not."""

import pytest

from accord.formats.language_guess import guessed_language

TOLD = {
    "en": ["Sentence 1 of my own.", "The bridge is closed."],
    "de": ["Satz 1 von mir.", "Die Brücke ist heute gesperrt."],
    "es": ["El puente está cerrado por las obras.", "No se puede pasar con el coche."],
    "pt": ["A ponte não está aberta.", "Os carros não passam por uma ponte."],
    "fr": ["Le pont est fermé pour les voitures.", "Il ne passe pas."],
    "it": ["Il ponte è chiuso per i lavori.", "Non si passa con la macchina."],
    "nl": ["De brug is niet open.", "Het is een oude brug van hout."],
    "pl": ["Most jest zamknięty, ale nie na długo.", "To się zdarza."],
    "ru": ["Мост закрыт, и мы стоим.", "Это было вчера, но вы знаете."],
    "uk": ["Міст зачинено.", "Її немає вдома."],
    "zh": ["今天桥关闭了。", "我们不能过去。"],
    "ja": ["橋は今日閉まっています。", "渡れません。"],
    "ko": ["다리가 닫혔습니다.", "오늘은 못 갑니다."],
    "ar": ["الجسر مغلق اليوم.", "لا يمكننا العبور."],
}


@pytest.mark.parametrize("language", TOLD)
def test_texts_tell_their_language(language):
    assert guessed_language(TOLD[language]) == language


@pytest.mark.parametrize("texts", [[], ["", " "], ["12", "3.5 kg"], ["Berlin", "Paris"], ["la la la", "un una"]])
def test_texts_that_do_not_tell_are_left_open(texts):
    assert guessed_language(texts) == ""
