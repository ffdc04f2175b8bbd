"""Look up what is known of words and phrases: WordNet, paraphrases and translations."""
