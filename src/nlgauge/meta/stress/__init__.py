"""Whether metrics notice what they should: texts that were changed on purpose."""
