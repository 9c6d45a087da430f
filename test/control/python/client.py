"""A client in another language: code generated from the same proto files, with the same checks over both transports."""

import json
import pathlib
import sys
import threading

import grpc
from google.protobuf import struct_pb2
from google.protobuf.json_format import MessageToDict
from grpc_status import rpc_status

places = json.loads(sys.argv[1])
sys.path.insert(0, sys.argv[2])
# The standard services are in the package grpc, like the library.
grpc.__path__.append(f"{sys.argv[2]}/grpc")

from contextd.v1 import audit_pb2, audit_pb2_grpc, common_pb2, policy_pb2, policy_pb2_grpc  # noqa: E402
from contextd.v1 import safe_exec_pb2, safe_exec_pb2_grpc, tools_pb2, tools_pb2_grpc  # noqa: E402
from grpc.health.v1 import health_pb2, health_pb2_grpc  # noqa: E402
from grpc.reflection.v1 import reflection_pb2, reflection_pb2_grpc  # noqa: E402


def over_socket():
    return grpc.insecure_channel(f"unix:{places['socket']}")


def over_tls(folder=None):
    root = pathlib.Path(places["operator"], "ca.pem").read_bytes()
    if folder is None:
        return grpc.secure_channel(places["tcp"], grpc.ssl_channel_credentials(root))
    part = {name: pathlib.Path(folder, f"{name}.pem").read_bytes() for name in ("key", "cert")}
    return grpc.secure_channel(places["tcp"], grpc.ssl_channel_credentials(root, part["key"], part["cert"]))


def struct(value):
    made = struct_pb2.Struct()
    made.update(value)
    return made


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("it was answered")


def error_object(error):
    """The catalogue error in the details of the status."""
    found = common_pb2.Error()
    (detail,) = rpc_status.from_call(error).details
    assert detail.Unpack(found), detail.type_url
    return found


def unary(channel, agent):
    tools = tools_pb2_grpc.ToolsStub(channel)
    asked = tools_pb2.ToolsCallRequest(name="echo", arguments=struct({"city": "Oslo", "deep": [1, None]}))
    answer = MessageToDict(tools.Call(asked, metadata=agent).structured)
    assert answer["data"] == {"city": "Oslo", "deep": [1, None]}, answer


def streaming(channel, agent):
    tools = tools_pb2_grpc.ToolsStub(channel)
    kinds = []
    for event in tools.Execute(tools_pb2.ToolsExecuteRequest(name="report", log_level="info"), metadata=agent):
        kinds.append(event.WhichOneof("event"))
        if len(kinds) == 3:
            tools.Call(tools_pb2.ToolsCallRequest(name="go_on"), metadata=agent)
    assert kinds == ["progress", "log", "progress", "result"], kinds


def deadline(channel, agent):
    tools = tools_pb2_grpc.ToolsStub(channel)
    seconds, why = 0.5, None
    # Where the time is over before the tool has begun, nothing was ended: it gets more.
    while why is None:
        late = failure(lambda: tools.Call(tools_pb2.ToolsCallRequest(name="wait"), metadata=agent, timeout=seconds))
        assert late.code() == grpc.StatusCode.DEADLINE_EXCEEDED, late
        seconds *= 2
        try:
            why = MessageToDict(tools.Call(tools_pb2.ToolsCallRequest(name="why_aborted"), metadata=agent).structured)
        except grpc.RpcError:
            pass
    assert why["data"] in ("TIMEOUT", "CANCELLED"), why


def cancel(channel, agent):
    tools = tools_pb2_grpc.ToolsStub(channel)
    events = tools.Execute(tools_pb2.ToolsExecuteRequest(name="wait"), metadata=agent)
    next(events)
    events.cancel()
    why = MessageToDict(tools.Call(tools_pb2.ToolsCallRequest(name="why_aborted"), metadata=agent).structured)
    assert why["data"] == "CANCELLED", why


def errors(channel, agent):
    files = safe_exec_pb2_grpc.SafeExecStub(channel)
    wrong = failure(lambda: files.Read(safe_exec_pb2.SafeExecReadRequest(), metadata=agent))
    assert wrong.code() == grpc.StatusCode.INVALID_ARGUMENT, wrong
    found = error_object(wrong)
    assert found.code == "INVALID_ARGUMENTS" and found.hint, found
    assert [field["field"] for field in MessageToDict(found.details)["fields"]] == ["path"], found


def unknown_field(channel, agent):
    # Field 999 with a text, after a complete message.
    raw = tools_pb2.ToolsCallRequest(name="echo").SerializeToString() + b"\xba\x3e\x07hunter2"
    call = channel.unary_unary("/contextd.v1.Tools/Call", request_serializer=lambda _: raw)
    refused = failure(lambda: call(None, metadata=agent))
    assert refused.code() == grpc.StatusCode.INVALID_ARGUMENT, refused
    assert "ToolsCallRequest" in refused.details() and "hunter2" not in refused.details(), refused


def too_large(channel, agent):
    tools = tools_pb2_grpc.ToolsStub(channel)
    asked = tools_pb2.ToolsCallRequest(name="echo", arguments=struct({"text": "x" * 70000}))
    large = failure(lambda: tools.Call(asked, metadata=agent))
    assert large.code() == grpc.StatusCode.RESOURCE_EXHAUSTED, large


def health(channel, _agent):
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", "contextd.v1.Audit"):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING, answer
    unknown = failure(lambda: stub.Check(health_pb2.HealthCheckRequest(service="nothing")))
    assert unknown.code() == grpc.StatusCode.NOT_FOUND, unknown


def reflection(channel, _agent):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    asked = [reflection_pb2.ServerReflectionRequest(list_services="")]
    (answer,) = stub.ServerReflectionInfo(iter(asked))
    names = {service.name for service in answer.list_services_response.service}
    assert {"contextd.v1.Tools", "grpc.health.v1.Health"} <= names, names


def person(channel):
    policy = policy_pb2_grpc.PolicyStub(channel)
    asked = policy_pb2.PolicyExplainRequest(agent="main", server="contextd", tool="safe_read")
    assert policy.Explain(asked).decision == "allow"
    assert "main" in policy.List(policy_pb2.PolicyListRequest()).agents
    tail = audit_pb2_grpc.AuditStub(channel).Tail(audit_pb2.AuditTailRequest(limit=3))
    assert next(tail).record.seq > 0
    tail.cancel()


def refused(channel):
    strange = failure(lambda: policy_pb2_grpc.PolicyStub(channel).List(policy_pb2.PolicyListRequest(), timeout=5))
    assert strange.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED), strange


def not_the_person(channel):
    denied = failure(lambda: policy_pb2_grpc.PolicyStub(channel).List(policy_pb2.PolicyListRequest()))
    assert denied.code() == grpc.StatusCode.PERMISSION_DENIED, denied
    assert error_object(denied).code == "DENIED_BY_POLICY"


everywhere = [unary, streaming, deadline, cancel, errors, unknown_field, too_large, health, reflection]
as_agent = (("contextd-agent", "main"),)
plan = [
    *[(f"socket: {check.__name__}", lambda check=check: check(over_socket(), as_agent)) for check in everywhere],
    ("socket: person", lambda: person(over_socket())),
    *[(f"mTLS: {check.__name__}", lambda check=check: check(over_tls(places["agent"]), ())) for check in everywhere],
    ("mTLS: person", lambda: person(over_tls(places["operator"]))),
    ("mTLS: an agent is not the person", lambda: not_the_person(over_tls(places["agent"]))),
    ("mTLS: no certificate", lambda: refused(over_tls())),
]

# What hangs ends here and not with the patience of whoever runs it.
watchdog = threading.Timer(120, lambda: (print("FAIL it hangs", flush=True), sys.stdout.flush(), __import__("os")._exit(1)))
watchdog.daemon = True
watchdog.start()
failed = 0
for name, check in plan:
    try:
        check()
        print(f"ok   {name}", flush=True)
    except Exception as error:  # each is reported, the others still run
        failed += 1
        print(f"FAIL {name}: {error!r}", flush=True)
print(f"{len(plan) - failed} passed, {failed} failed", flush=True)
sys.exit(1 if failed else 0)
