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
    # The same on PostgreSQL. Quick: what was acknowledged survives a kill on both databases.
    "server_workspace/test_postgres.py",
    "server/test_round_trip.py::test_whatever_save_acknowledges_comes_out_of_every_export_on_both_databases[postgres",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[postgres]",
    "server/test_round_trip.py::test_nothing_that_a_rater_says_is_kept_before_consent[postgres]",
    "server/test_round_trip.py::test_a_formula_that_a_rater_writes_is_text_in_every_table_and_comes_back_as_it_was[postgres]",
    # One more screen, hand or reader of what the same file looks at in another way.
    "server/test_demo.py::test_a_demonstration_that_nobody_added_to_is_removed",
    "server/test_walk.py::test_texts_are_ranked_by_dragging_and_show_where_they_differ_on_demand",
    "server/test_round_trip.py::test_nul_in_an_address_or_a_form_is_refused_on_every_page[sqlite]",
    "server_organiser/test_jobs.py::test_a_report_says_the_real_names_of_the_systems_where_that_is_chosen_and_the_log",
    "server_organiser/test_rater_names.py::test_the_report_has_the_pseudonym_alone",
    "plots/test_same_as_vega.py::test_every_mark_stands_where_vega_puts_it_in_the_colour_vega_gives_it[category-use-many]",
    "reliability/test_apart.py::test_files_counted_where_they_lie_are_kept_apart_alike[interval]",
    "reliability/test_apart.py::test_files_counted_where_they_lie_are_kept_apart_alike[ordinal]",
    "reporting/test_page_in_browser.py::test_axe_finds_no_serious_violation[dark-first of each]",
    "architecture/test_other_machines.py::test_an_older_machine_says_what_was_recorded[without AVX-512]",
    "ratings/test_spark.py::test_a_spark_frame_is_counted_where_it_lies_as_duckdb_counts_the_files",
    "server_organiser/test_two_versions.py::test_what_is_told_before_a_rater_is_left_out_is_what_comes[under_second1]",
    "server_organiser/test_two_versions.py::test_what_is_told_before_a_rater_is_left_out_is_what_comes[under_second2]",
    *(
        f"server_workspace/test_wizard.py::test_every_protocol_takes_thirty_own_texts_to_a_plan[{preset}]"
        for preset in ALIKE
    ),
    # One more way to spoil a zip, one more role. Quick: two ways each, one role of each test.
    *(
        "server_workspace/test_whole_zip.py::"
        f"test_h1_m1_a_zip_with_an_impossible_database_is_refused_in_a_sentence_and_leaves_nothing[{hole}]"
        for hole in ("H1 off the scale", "M1 marks", "M1 systems", "M2")
    ),
    *(
        f"server_workspace/test_whole_zip.py::test_a_whole_zip_that_was_tampered_with_changes_nothing[{file}-"
        for file in ("accord.secret", "accord.sqlite3", "accord-manifest.json")
    ),
    *(
        f"server_workspace/test_people.py::test_{what}[{role}]"
        for what, roles in (
            ("a_role_holds_in_its_study_and_in_no_other", ("organiser", "arbiter")),
            ("the_menu_leads_nobody_to_a_closed_door", ("organiser", "viewer")),
        )
        for role in roles
    ),
    "server_workspace/test_api.py::test_a_token_reads_and_rules_as_far_as_the_role_of_its_account[viewer-False]",
    # What follows from two things that are tested one by one, as a round after a new version of the guideline, and a
    # closed study, a plan or a zip on one more page.
    *(
        f"server_organiser/test_two_versions.py::test_{name}"
        for name in (
            "a_round_leaves_the_course_of_what_was_measured_before",
            "a_text_judged_again_on_request_after_a_round_replaces_the_answer_of_that_round",
            "tables_number_what_was_measured_again_as_the_round_is",
            "what_a_round_measured_is_called_after_that_round_on_every_page",
        )
    ),
    "server_organiser/test_closing.py::test_home_confirms_what_was_done_to_a_study_and_shows_the_way_back",
    "server_workspace/test_wizard.py::test_a_step_has_a_tick_once_somebody_did_it_or_looked_at_it",
    "server_workspace/test_wizard.py::test_groups_phases_and_questionnaire_of_the_wizard_equal_those_made_by_hand",
    "server_workspace/test_wizard.py::test_three_plans_stand_side_by_side_and_one_is_chosen",
    "server_workspace/test_whole_zip.py::test_a_file_that_a_made_up_job_names_is_never_given_out",
    "server_workspace/test_whole_zip.py::test_m3_a_program_imports_a_whole_zip_with_its_judgements",
    "reporting/test_page_in_browser.py::test_the_page_draws_without_complaint_and_without_the_network[1280]",
    "reporting/test_page_in_browser.py::test_words_of_a_table_are_read_on_a_phone_without_scrolling",
    # Of the tests themselves.
    "architecture/test_warm_relay.py::test_many_at_once_all_end_as_they_should",
    # A coefficient of another package, step by step. Quick: its numbers, its page, and what is wrong with its row.
    *(
        f"coefficients/test_outside.py::test_{what}"
        for what in (
            "adding_a_coefficient_of_two_raters_edits_two_files_and_its_test",
            "the_command_line_computes_it_with_a_bootstrap_and_pairs",
            "an_error_in_it_is_one_sentence_and_the_others_are_computed",
            "the_report_shows_and_cites_it",
        )
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
            "howto/deploy",
            "howto/big-data",
            "tutorials/plato",
            "gallery",
            "analyses/mqm",
        )
    ),
    # The rater's page by one more hand, screen, state or kind of text. Quick: the rest of test_walk.py, where every
    # kind of answer is given by mouse and by keys, without a line, after the log-in has expired, and in six languages.
    *(
        f"server/test_walk.py::test_{name}"
        for name in (
            "a_marked_place_counts_code_points_not_utf16_units",
            "going_back_and_changing_one_s_mind_keeps_both_answers",
            "new_guidelines_are_read_before_the_next_screen_on_a_page_that_stayed_open",
            "pages_have_no_serious_barrier",
            "two_tabs_see_each_others_answers",
            "who_is_paused_is_told_so_keeps_what_they_answer_and_goes_on_once_resumed",
        )
    ),
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
