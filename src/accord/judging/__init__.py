"""May a language model stand in for people, and what are its scores worth?"""
