from hypothesis import settings

# Machines that run tests are busy; how long an example takes says nothing.
settings.register_profile("nlgauge", deadline=None)
settings.load_profile("nlgauge")
