"""Tests that take seconds each, left to ``./test --whole``, which lands every change; ``./test`` runs all others.

Each looks at one more protocol, hand, screen, language or database of something that ``./test`` looks at once, or walks
a long way whose steps it tests one by one. Further examples of one law are marked ``long`` where they stand: designs of
a promise after the first, blocks of random tables, seeds.
"""

ALIKE = {
    "direct-assessment-documents",
    "direct-assessment-segments",
    "fluency",
    "monolingual",
    "plato",
    "reference-bias",
}
"""Presets that ask what ``direct-assessment`` or ``document-context`` ask, in another layout or of other texts."""

LONG = (
    # Whole walks. Quick: a study of one's own texts is launched, two protocols are rated, every page has its own tests.
    "server_workspace/test_walk_whole.py",
    "server_workspace/test_walk_studio.py::test_thirty_own_texts_are_launched_in_at_most_25_actions[phone-dark]",
    "server_organiser/test_walk_rounds.py",
    "server/test_demo.py::test_the_organiser_of_the_demonstration_gets_its_report",
    # One more protocol, hand or kind of question.
    *(
        f"server/test_walk_presets.py::test_a_preset_walked_by_mouse_or_by_keyboard_exports_exactly_what_was_answered[{one}"
        for one in ("direct", "document", "fluency", "monolingual", "pairwise", "plato", "quality", "reference")
    ),
    "cli/test_new_check_simulate.py::test_every_preset_is_made_checked_simulated_and_analysed[plato]",
    "server/test_walk_hands.py::test_a_preset_walked_by_finger_on_a_dark_phone_exports_exactly_what_was_answered[mqm]",
    "server/test_walk_hands.py::test_a_preset_walked_by_finger_on_a_dark_phone_exports_exactly_what_was_answered[pairwise]",
    "server/test_blind_clicks.py::test_a_check_looks_and_behaves_as_every_other_text[mqm]",
    "server/test_blind_clicks.py::test_a_check_looks_and_behaves_as_every_other_text[pairwise]",
    "server/test_actions.py::test_every_judgement_takes_as_many_actions_as_the_docs_say_and_is_saved[Accord by finger]",
    "server/test_actions.py::test_every_judgement_takes_as_many_actions_as_the_docs_say_and_is_saved[Accord by keys]",
    "server/test_walk_phases.py::test_who_is_done_is_asked_to_come_back_and_goes_on_when_the_phase_opens[dark-phone]",
    "server/test_offline.py::test_a_tab_opened_while_the_server_is_down_goes_on_where_it_was",
    "server/test_export.py::test_simulated_raters_come_out_of_the_server_as_they_went_in",
    # The same on PostgreSQL.
    "server_workspace/test_postgres.py",
    "server/test_round_trip.py::test_whatever_save_acknowledges_comes_out_of_every_export_on_both_databases[postgres",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[postgres]",
    "server/test_faults.py::test_every_acknowledged_judgement_survives_kill_9_in_mid_load[3-postgres]",
    # One more screen, hand or reader of what the same file looks at in another way.
    "server/test_demo.py::test_a_demonstration_that_nobody_added_to_is_removed",
    "server/test_walk.py::test_texts_are_ranked_by_dragging_and_show_where_they_differ_on_demand",
    "server/test_document_page.py::test_the_words_of_a_scale_stand_under_their_ticks_however_unevenly_these_lie[phone]",
    "server/test_typed_scores.py::test_on_a_phone_the_score_lies_on_no_tool_and_no_arrow_keys_are_spoken_of",
    "server/test_tab_to_next.py::test_under_a_segment_the_digit_after_tab_answers_what_comes_after_the_score",
    "server/test_walk_hands.py::test_a_text_from_right_to_left_is_marked_where_it_was_touched[Keyboard",
    "server/test_practice.py::test_on_a_phone_what_is_said_stands_above_the_text_it_is_about",
    "server/test_long_documents.py::test_the_sentence_in_question_is_in_sight_in_a_very_long_text[size1]",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[sqlite]",
    "server_organiser/test_jobs.py::test_a_report_says_the_real_names_of_the_systems_where_that_is_chosen_and_the_log",
    "server_organiser/test_rater_names.py::test_the_report_has_the_pseudonym_alone",
    "plots/test_same_as_vega.py::test_every_mark_stands_where_vega_puts_it_in_the_colour_vega_gives_it[category-use-many]",
    "ratings/test_stored.py::test_practice_and_later_occasions_are_left_out_as_in_memory",
    "reliability/test_apart.py::test_files_counted_where_they_lie_are_kept_apart_alike[interval]",
    "reliability/test_apart.py::test_files_counted_where_they_lie_are_kept_apart_alike[ordinal]",
    *(
        f"server_organiser/test_same_everywhere.py::test_{what}_says_what_the_dashboard_says[{study}]"
        for what in ("python", "the_report", "the_export_read_back")
        for study in ("document-context", "error-counts", "esa")
    ),
    # Every address of the API by requests made at random, and every link by role.
    "server_workspace/test_api.py::test_what_the_openapi_of_a_workspace_promises_no_request_can_break",
    "server_organiser/test_roles.py::test_whatever_a_role_is_shown_it_may_do[viewer]",
    "server_organiser/test_api.py::test_what_the_openapi_promises_no_request_can_break",
    "server_organiser/test_api_twins.py::test_quality_and_declared_rules_are_open_to_programs",
    "server_organiser/test_roles.py::test_whatever_a_role_is_shown_it_may_do[arbiter]",
    # Examples that begin a server or a large file. Quick: those of the README and all other pages.
    *(
        f"docs/test_examples.py::test_every_example_of_the_page_runs[docs/{page}.md]"
        for page in (
            "explanation/privacy",
            "howto/collect",
            "howto/big-data",
            "tutorials/plato",
            "gallery",
            "analyses/mqm",
        )
    ),
    # Counts over many random studies, and large data.
    "promises/test_promises.py::test_the_promise_is_kept_as_often_as_recorded[groups",
    "promises/test_promises.py::test_the_promise_is_kept_as_often_as_recorded[metrics",
    "promises/test_promises.py::test_the_promise_is_kept_as_often_as_recorded[ranking",
    "reporting/test_compute_again.py::test_every_line_of_a_report_gives_its_number_again[two-phases]",
    "diagnosis/test_findings.py::test_honest_raters_raise_no_finding_in_more_than_one_set_of_twenty",
    "diagnosis/test_integrity.py::test_exact_raters_who_nearly_always_agree_are_no_duplicates",
    "diagnosis/test_integrity.py::test_exact_raters_of_unlike_strictness_are_neither_sorted_nor_copies",
    "coefficients/test_reml.py::test_the_interval_of_the_mixed_model_covers_the_truth_nineteen_times_in_twenty",
    "comparisons/test_conditions.py::test_the_p_of_exchanged_raters_is_the_share_of_all_arrangements",
    "judging/test_position.py::test_no_liking_is_not_found",
    "reliability/test_recorded.py::test_large_tables_have_the_recorded_values[wide with gaps]",
    "reporting/test_length.py::test_a_pilot_of_ten_items_prints_on_six_pages",
    "scoring/test_preferences.py::test_the_intervals_cover_about_as_often_as_they_say",
    "ratings/test_plain_json.py::test_columns_and_lines_give_the_same_table_or_the_same_error",
    "ratings/test_plain_text.py::test_columns_and_rows_give_the_same_table_or_the_same_error",
    "design/test_bad_studies.py::test_no_text_in_the_files_ends_in_anything_but_our_own_errors",
    "ratings/test_poisson_weights.py",
    "ratings/test_stored.py::test_files_and_memory_give_the_same_integers",
    "ratings/test_fuzz.py::test_a_stray_cell_far_from_the_table_takes_no_memory",
    "formats/test_mutated_files.py",
    "diagnosis/test_diagnose_command.py::test_wmt22_calibration_and_a_shared_task_of_55_000_rows_are_diagnosed",
    "scoring/test_resampling.py::test_equal_systems_seldom_differ_though_raters_have_tastes",
    "scoring/test_small_samples.py::test_what_would_decide_does_decide_if_the_rate_stays",
    "design/test_blocks.py::test_where_no_even_plan_is_found_few_pairs_miss_it_and_the_plan_says_so",
    "design/test_blocks.py::test_an_overlap_that_cannot_be_even_is_said[5-13-9]",
    "design/test_blocks.py::test_an_overlap_that_cannot_be_even_is_said[6-13-10]",
    "design/test_blocks.py::test_an_overlap_that_cannot_be_even_is_said[9-14-10]",
    "design/test_plan.py::test_ten_thousand_items_and_five_hundred_raters_are_planned_evenly",
    "design/test_plan.py::test_a_crossed_plan_of_five_million_tasks_is_made_whole",
)
"""How the name of such a test begins, below ``tests/``."""
