import os
import random

import schemathesis

# Hypothesis repeats the numbers of the module itself.
RANDOM = random.SystemRandom()

# Names of what exists in the demo, so that requests get beyond "not found".
EXISTING = {
    "name": ["demo"],
    "namespace": ["shop", "kube-system"],
    "group": ["core", "apps"],
    "version": ["v1"],
    "plural": ["pods", "services", "deployments", "nodes", "secrets"],
    "object": ["api", "postgres", "coredns", "demo-control-plane"],
    "pod": ["etcd-demo-control-plane"],
    "release": ["metrics-server", "headlamp"],
    "container": ["etcd"],
    "page": ["security"],
    "runtime": ["demo"],
}


@schemathesis.serializer("application/gzip", "application/x-gzip", "application/x-tgz")
def send_as_is(context, value):
    """Charts are uploaded as bytes, for which Schemathesis has no serializer."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from a client of its own, because the number of changes of one client is limited."""
    case.headers["X-Forwarded-For"] = ".".join(["10", *(str(RANDOM.randrange(1, 255)) for _ in range(3))])
    if "EXISTING" in os.environ:
        # A followed log ends with its request only, which has no limit as long as lines arrive.
        case.query.pop("follow", None)
        for values in (case.path_parameters, case.query):
            for name in EXISTING.keys() & values.keys():
                values[name] = RANDOM.choice(EXISTING[name])
