"""Metrics from elsewhere: functions, entry points and what third parties do wrong."""
