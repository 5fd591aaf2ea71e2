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
    # Whole walks. Quick: a study of one's own texts is launched, every answer is given, every page has its own tests.
    "server_workspace/test_walk_whole.py",
    "server_workspace/test_walk_studio.py::test_thirty_own_texts_are_launched_in_at_most_25_actions[phone-dark]",
    "server_organiser/test_walk_rounds.py",
    "server/test_demo.py::test_the_organiser_of_the_demonstration_gets_its_report",
    # One more protocol, hand or kind of question.
    "cli/test_new_check_simulate.py::test_every_preset_is_made_checked_simulated_and_analysed[plato]",
    "server/test_export.py::test_simulated_raters_come_out_of_the_server_as_they_went_in",
    # The same on PostgreSQL.
    "server_workspace/test_postgres.py",
    "server/test_round_trip.py::test_whatever_save_acknowledges_comes_out_of_every_export_on_both_databases[postgres",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[postgres]",
    "server/test_faults.py::test_every_acknowledged_judgement_survives_kill_9_in_mid_load[3-postgres]",
    # One more screen, hand or reader of what the same file looks at in another way.
    "server/test_demo.py::test_a_demonstration_that_nobody_added_to_is_removed",
    "server/test_walk.py::test_texts_are_ranked_by_dragging_and_show_where_they_differ_on_demand",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[sqlite]",
    "server_organiser/test_jobs.py::test_a_report_says_the_real_names_of_the_systems_where_that_is_chosen_and_the_log",
    "server_organiser/test_rater_names.py::test_the_report_has_the_pseudonym_alone",
    "plots/test_same_as_vega.py::test_every_mark_stands_where_vega_puts_it_in_the_colour_vega_gives_it[category-use-many]",
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
    # The rater's page by one more hand, screen, state or kind of text. Quick: test_walk.py, where every kind of answer
    # is given by mouse, by keys and without a line, in two tabs and six languages.
    *(
        f"server/test_{name}.py"
        for name in (
            "actions",
            "blind_clicks",
            "document_page",
            "long_documents",
            "marking_by_keys",
            "offline",
            "only_here",
            "practice",
            "prefilled",
            "tab_to_next",
            "two_scores",
            "typed_scores",
            "walk_closed",
            "walk_hands",
            "walk_phases",
            "walk_presets",
        )
    ),
    # Servers, proxies and programs of their own, for what nobody does every day.
    "server/test_behind_nginx.py",
    "server/test_hostile_workbooks.py",
    "server/test_verify.py::test_two_studies_never_mix_in_one_database_and_restoring_leaves_a_live_one_alone",
    "server_workspace/test_killed.py",
    "server_workspace/test_drafts.py",
    "server_workspace/test_walk_steps.py",
    "server_workspace/test_shown_in_the_wizard.py",
    "server_workspace/test_people.py::test_guessing_passwords_is_slowed_down",
    *(
        f"server/test_blind.py::test_no_answer_to_a_rater_names_a_system_or_a_check[{preset}"
        for preset in ("direct", "document", "fluency", "monolingual", "pairwise", "plato", "quality", "reference")
    ),
    "server_organiser/test_same_everywhere.py::test_python_says_what_the_dashboard_says",
    "cli/test_study_folders.py",
    "ratings/test_stored.py",
    "reliability/test_recorded.py::test_random_tables_have_the_recorded_values",
    "reliability/test_any_order.py",
    "formats/test_fuzz.py",
    "ratings/test_fuzz.py",
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
