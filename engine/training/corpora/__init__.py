"""Research corpora, read from the archives their makers publish; none of them is shipped."""
