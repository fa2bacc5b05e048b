#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""server.py SOCKET: a server of PulseAudio's protocol that has the devices which a test tells it, and answers as the test wants.

Each line of the standard input is an expression in Python: a dictionary. Its keys replace those of the model: server, default_sink, default_source,
sinks, sources, cards, streams, and moving: how many of the next answers with the sinks are old, because the first sink becomes quieter by a
sixteenth behind each, whose event is before the answer. Or they say what to do, in this order:
  silent: the questions that get no answer any more; answer: the questions that get their answers now
  refuse: the questions and requests that get an error
  raw: bytes for each client; events: [[facility, kind, number], ...]; flood: how many more events of the first sink
  close: the clients' connections end
Each question and request is a line of the standard output, and so is "done" behind each line of the input."""

import os, selectors, socket, struct, sys

ERROR, REPLY, AUTH, NAME, SUBSCRIBE, EVENT = 0, 2, 8, 9, 35, 66
QUESTIONS = {20: "server", 22: "sinks", 24: "sources", 89: "cards", 30: "streams"}
REQUESTS = {36: "sink-volume", 38: "source-volume", 90: "card-profile", 96: "sink-port", 97: "source-port"}
FACILITIES = {"sink": 0, "source": 1, "stream": 2, "server": 7, "card": 9}
KINDS = {"new": 0, "change": 0x10, "remove": 0x20}
NONE = 0xFFFFFFFF
VERSION = 35


# ---- Values ----


def u32(value):
    return b"L" + struct.pack(">I", value)


def text(value):
    if value is None:
        return b"N"
    return b"t" + (value if isinstance(value, bytes) else value.encode()) + b"\0"


def boolean(value):
    return b"1" if value else b"0"


def properties(values):
    result = b"P"
    for key, value in values.items():
        data = (value if isinstance(value, bytes) else value.encode()) + b"\0"
        result += text(key) + u32(len(data)) + b"x" + struct.pack(">I", len(data)) + data
    return result + b"N"


def sample_spec(channels):
    return b"a" + struct.pack(">BBI", 3, channels, 48000)


def channel_map(channels):
    return b"m" + bytes([channels, *range(channels)])


def volumes(values):
    return b"v" + struct.pack(f">B{len(values)}I", len(values), *values)


def usec(value=0):
    return b"U" + struct.pack(">Q", value)


FORMATS = b"B\x01" + b"fB\x01" + properties({})


# ---- Packets ----


def packet(payload):
    return struct.pack(">IIIII", len(payload), NONE, 0, 0, 0) + payload


def reply(tag, payload=b""):
    return packet(u32(REPLY) + u32(tag) + payload)


def event(facility, kind, number):
    return packet(u32(EVENT) + u32(NONE) + u32(FACILITIES[facility] | KINDS[kind]) + u32(number))


# ---- Lists ----


def device_ports(device):
    ports = device.get("ports", [])
    result = u32(device.get("port_count", len(ports)))
    for port in ports:
        result += text(port["name"]) + text(port.get("description", port["name"])) + u32(port.get("priority", 0))
        result += u32(port.get("available", 0)) + text(port.get("group")) + u32(port.get("type", 0))
    return result + text(device.get("active"))


def device(value, monitor, monitor_name):
    channels = value.get("channels", 2)
    result = u32(value["index"]) + text(value["name"]) + text(value.get("description", value["name"])) + sample_spec(channels)
    result += channel_map(channels) + u32(NONE) + volumes(value.get("volume", [65536] * channels)) + boolean(value.get("muted"))
    result += u32(monitor) + text(monitor_name) + usec() + text(value.get("driver", "test")) + u32(value.get("flags", 0))
    result += properties(value.get("properties", {})) + usec() + b"V" + struct.pack(">I", 65536) + u32(0) + u32(65537)
    return result + u32(value.get("card", NONE)) + device_ports(value) + FORMATS


def card(value):
    profiles = value.get("profiles", [])
    result = u32(value["index"]) + text(value["name"]) + u32(NONE) + text("test") + u32(len(profiles))
    for profile in profiles:
        result += text(profile["name"]) + text(profile["name"]) + u32(profile.get("sinks", 1)) + u32(profile.get("sources", 0))
        result += u32(profile.get("priority", 0)) + u32(profile.get("available", 1))
    result += text(value.get("active")) + properties(value.get("properties", {})) + u32(len(value.get("ports", [])))
    for port in value.get("ports", []):
        result += text(port["name"]) + text(port["name"]) + u32(0) + u32(port.get("available", 0)) + b"B" + bytes([port["direction"]])
        result += properties({}) + u32(0) + b"r" + struct.pack(">q", 0) + text(None) + u32(port.get("type", 0))
    return result


def stream(value):
    result = u32(value["index"]) + text("stream") + u32(NONE) + u32(NONE) + u32(value["sink"]) + sample_spec(2) + channel_map(2)
    result += volumes([65536, 65536]) + usec() + usec() + text("none") + text("test") + boolean(False)
    process = {"application.process.id": str(value["process"])} if "process" in value else {}
    return result + properties(process) + boolean(value.get("corked")) + boolean(True) + boolean(True) + b"fB\x01" + properties({})


def server(model):
    name, version = model.get("server", ("test", "1.0"))
    result = text(name) + text(version) + text("user") + text("host") + sample_spec(2) + text(model.get("default_sink"))
    return result + text(model.get("default_source")) + u32(1) + channel_map(2)


def answer_of(question, model):
    if question == "server":
        return server(model)
    if question == "sinks":
        return b"".join(device(sink, 0, "monitor") for sink in model["sinks"])
    if question == "sources":
        return b"".join(device(source, source.get("monitor_of", NONE), None) for source in model["sources"])
    return b"".join({"cards": card, "streams": stream}[question](item) for item in model[question])


# ---- Requests ----


class Reader:
    """Reads the values of a request."""

    def __init__(self, data):
        self.data = data

    def take(self, count):
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def next(self):
        kind = self.take(1)
        if kind == b"L":
            return struct.unpack(">I", self.take(4))[0]
        if kind == b"N":
            return None
        if kind == b"t":
            taken, _, self.data = self.data.partition(b"\0")
            return taken
        if kind == b"v":
            count = self.take(1)[0]
            return list(struct.unpack(f">{count}I", self.take(4 * count)))
        raise ValueError(kind)


def words_of(request, data):
    """The words of a request for the output. A volume is also set, unless the request is refused."""
    reader = Reader(data)
    number, name = reader.next(), reader.next()
    value = reader.next()
    who = str(number) if name is None else name.decode(errors="replace")
    if not request.endswith("-volume"):
        return f"{request} {who} {value.decode()}"
    for item in [] if request in refused else model["sinks" if request == "sink-volume" else "sources"]:
        own = item["name"]
        if (own if isinstance(own, bytes) else own.encode()) == name:
            item["volume"] = value
            events.append((request.split("-")[0], "change", item["index"]))
    return f"{request} {who} {' '.join(map(str, value))}"


# ---- Connections ----

model = {"sinks": [], "sources": [], "cards": [], "streams": [], "moving": 0}
silent, refused, events = set(), set(), []
clients = []
selector = selectors.DefaultSelector()


def say(line):
    # The test may have ended.
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os._exit(0)


class Client:
    def __init__(self, connection):
        self.connection, self.received, self.waiting = connection, b"", []

    def send_bytes(self, data):
        try:
            self.connection.sendall(data)
        except OSError:
            pass

    def read(self):
        data = b""
        try:
            data = self.connection.recv(65536)
        except OSError:
            pass
        if not data:
            self.end()
            return
        self.received += data
        while len(self.received) >= 20:
            length = struct.unpack(">I", self.received[:4])[0]
            if len(self.received) < 20 + length:
                return
            packet, self.received = self.received[20 : 20 + length], self.received[20 + length :]
            self.process(packet)

    def process(self, packet):
        reader = Reader(packet)
        command, tag = reader.next(), reader.next()
        name = QUESTIONS.get(command) or REQUESTS.get(command) or {AUTH: "auth", NAME: "name", SUBSCRIBE: "subscribe"}[command]
        say(words_of(name, reader.data) if command in REQUESTS else name)
        if name in silent:
            self.waiting.append((name, tag))
        else:
            self.answer(name, tag)

    def answer(self, name, tag):
        if name in refused:
            self.send_bytes(packet(u32(ERROR) + u32(tag) + u32(1)))
        elif name == "auth":
            self.send_bytes(reply(tag, u32(VERSION)))
        elif name == "name":
            self.send_bytes(reply(tag, u32(1)))
        elif name == "sinks" and model["moving"]:
            self.move_sink(tag)
        else:
            self.send_bytes(reply(tag, answer_of(name, model) if name in QUESTIONS.values() else b""))
        while events:
            self.send_bytes(event(*events.pop(0)))

    def move_sink(self, tag):
        """The event and the answer are one packet: who has read the event can read the answer."""
        model["moving"] -= 1
        self.send_bytes(event("sink", "change", 0) + reply(tag, answer_of("sinks", model)))
        model["sinks"][0]["volume"] = [volume - 4096 for volume in model["sinks"][0]["volume"]]

    def answer_late(self, names):
        late, self.waiting = [w for w in self.waiting if w[0] in names], [w for w in self.waiting if w[0] not in names]
        for name, tag in late:
            self.answer(name, tag)

    def end(self):
        selector.unregister(self.connection)
        self.connection.close()
        clients.remove(self)


def obey(line):
    values = eval(line)
    silent.update(values.pop("silent", []))
    answered = values.pop("answer", [])
    silent.difference_update(answered)
    if "refuse" in values:
        refused.clear()
        refused.update(values.pop("refuse"))
    raw, told, flood, close = values.pop("raw", b""), values.pop("events", []), values.pop("flood", 0), values.pop("close", False)
    model.update(values)
    for client in list(clients):
        client.answer_late(answered)
        if raw:
            client.send_bytes(raw)
        client.send_bytes(b"".join(event(*words) for words in told) + event("sink", "change", 0) * flood)
        if close:
            client.end()
    say("done")


def main(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    commands = b""
    selector.register(listener, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    say("ready")
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                client = Client(listener.accept()[0])
                clients.append(client)
                selector.register(client.connection, selectors.EVENT_READ, client)
            elif key.fileobj is sys.stdin:
                data = os.read(0, 1 << 20)
                if not data:
                    return
                *lines, commands = (commands + data).split(b"\n")
                for line in lines:
                    obey(line.decode())
            elif key.data in clients:
                key.data.read()


main(sys.argv[1])
