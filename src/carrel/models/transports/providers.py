"""The providers: how each is reached, and what it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import TracebackType
from typing import Self

from carrel.codec import Json
from carrel.errors import InvalidInput, Unavailable
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText
from carrel.models.transports import sdk
from carrel.models.transports.anthropic import (
    AnthropicTransport,
    anthropic_client,
    bedrock_client,
    vertex_client,
)
from carrel.models.transports.bodies import check_api
from carrel.models.transports.gemini import GeminiTransport, gemini_client
from carrel.models.transports.openai import OpenAITransport, azure_client, openai_client
from carrel.models.transports.transport import Timeouts, Transport

__all__ = ["PROVIDERS", "Access", "Provider", "find_provider", "open_transport"]

WITHOUT = "or go without one: `--model steps` carries out plain instructions, `--model human` asks"

_MODULES = {
    "openai": "openai",
    "anthropic": "anthropic",
    "gemini": "google.genai",
}
"""What each extra installs; `models` installs them all, and the one that is used is looked for."""

_OPENAI = (Api.OPENAI_RESPONSES, Api.OPENAI_CHAT)
_CHAT = (Api.OPENAI_CHAT, Api.OPENAI_RESPONSES)


@dataclass(frozen=True, slots=True)
class Access:
    """What a transport is opened with.

    Attributes:
        key: Empty where none is needed.
        base_url: None for the SDK's own.
        settings: What only some providers have; see `Provider.settings`.
    """

    provider: str
    key: str
    base_url: str | None
    timeouts: Timeouts
    settings: Mapping[str, str]

    def need(self, name: str, variable: str) -> str:
        """A setting that must be there."""
        if not self.settings.get(name):
            raise Unavailable(
                f"{self.provider} needs a {name}",
                op="model.open",
                hint=f"set {variable}",
                context={"provider": self.provider, "variable": variable},
            )
        return self.settings[name]


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider.

    Attributes:
        keys: Environment variables of its key, the first that is set counts.
        needs_key: Whether it cannot be used without one.
        base_url: Where it is, when neither the person nor `url_variable` says.
        extra: Which extra of ours installs its SDK.
        apis: The wires it speaks, the preferred one first.
        settings: What else it takes, with the environment variables of each.
    """

    name: str
    keys: tuple[str, ...]
    extra: str
    apis: tuple[Api, ...]
    open: Callable[[Access], Transport]
    needs_key: bool = True
    base_url: str | None = None
    url_variable: str | None = None
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_provider(name: str) -> Provider:
    """The provider of that name.

    Raises:
        InvalidInput: There is none.
    """
    found = PROVIDERS.get(_ALIASES.get(name, name))
    if found is None:
        known = ", ".join((*PROVIDERS, *_ALIASES))
        raise InvalidInput(f"there is no provider {name[:40]!r}", hint=f"known: {known}")
    return found


def open_transport(
    name: str,
    *,
    key: str | None = None,
    base_url: str | None = None,
    timeouts: Timeouts = Timeouts(),  # noqa: B008 (frozen)
    settings: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Transport:
    """A transport to a provider, to be used with `async with`.

    Args:
        name: Such as `openai`.
        key: The API key; from the environment when None.
        base_url: Where the provider is, for one that is not where it always is.
        timeouts: How long to wait for it.
        settings: What only some providers have, such as `region`; from the environment otherwise.
        environ: In place of `os.environ`.

    Raises:
        InvalidInput: There is no such provider or setting.
        Unavailable: There is no key, no address, or its SDK is not installed.
    """
    provider, environ = find_provider(name), os.environ if environ is None else environ
    given = dict(settings or {})
    for unknown in given.keys() - provider.settings.keys():
        known = ", ".join(provider.settings) or "none"
        raise InvalidInput(f"{name} has no setting {unknown!r}", hint=f"it has: {known}")
    for setting, variables in provider.settings.items():
        given.setdefault(setting, _first(environ, variables))
    found = key if key is not None else _first(environ, provider.keys)
    if provider.needs_key and not found:
        raise Unavailable(
            f"there is no API key for {name}",
            op="model.open",
            hint=f"set {' or '.join(provider.keys)}, {WITHOUT}",
            context={"provider": name, "variable": provider.keys[0]},
        )
    if provider.extra in _MODULES:
        sdk.check(_MODULES[provider.extra], provider.extra)
    address = base_url or _address(provider, environ)
    return provider.open(Access(name, found, address, timeouts, given))


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((environ[name] for name in names if environ.get(name)), "")


def _address(provider: Provider, environ: Mapping[str, str]) -> str | None:
    given = environ.get(provider.url_variable or "", "")
    if not given:
        return provider.base_url
    if provider.name != "ollama":
        return given
    # Ollama's own variable holds what the server binds to: often no scheme, or every address.
    address = given if "://" in given else f"http://{given}"
    address = address.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")
    return address if address.endswith("/v1") else f"{address}/v1"


def _open_openai(access: Access) -> Transport:
    if access.provider == "openai-compatible" and not access.base_url:
        raise Unavailable(
            "an OpenAI-compatible server needs its base URL",
            op="model.open",
            hint="give its base URL, or set OPENAI_COMPATIBLE_BASE_URL; "
            "for example http://127.0.0.1:8000/v1",
        )
    return OpenAITransport(
        access.provider,
        lambda: openai_client(access.key, access.base_url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
        apis=find_provider(access.provider).apis,
    )


def _open_azure(access: Access) -> Transport:
    endpoint = access.base_url or access.need("endpoint", "AZURE_OPENAI_ENDPOINT")
    version, deployment = access.settings["api_version"], access.settings["deployment"] or None
    if version:
        return OpenAITransport(
            access.provider,
            lambda: azure_client(access.key, endpoint, deployment, version, access.timeouts),
            secrets=(access.key,),
            timeouts=access.timeouts,
            apis=_OPENAI,
        )
    plain = endpoint.rstrip("/")
    url = plain if plain.endswith("/v1") else f"{plain}/openai/v1"
    return OpenAITransport(
        access.provider,
        lambda: openai_client(access.key, url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
        apis=_OPENAI,
    )


def _open_anthropic(access: Access) -> Transport:
    return AnthropicTransport(
        access.provider,
        lambda: anthropic_client(access.key, access.base_url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
    )


def _open_bedrock(access: Access) -> Transport:
    region = access.need("region", "AWS_REGION")
    if not access.key and find_spec("boto3") is None:
        raise Unavailable(
            "without AWS_BEARER_TOKEN_BEDROCK, Bedrock needs boto3 to sign requests",
            op="model.open",
            hint=f"pip install 'carrel[anthropic]', or set AWS_BEARER_TOKEN_BEDROCK, {WITHOUT}",
        )
    return AnthropicTransport(
        access.provider,
        lambda: bedrock_client(access.key, region, access.base_url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
        # Its events are binary, and only botocore reads them.
        streams=find_spec("botocore") is not None,
    )


def _open_gemini(access: Access) -> Transport:
    return GeminiTransport(
        access.provider,
        lambda: gemini_client(access.key, access.base_url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
    )


def _open_vertex(access: Access) -> Transport:
    project = access.settings["project"]
    if not access.key:
        project = access.need("project", "GOOGLE_CLOUD_PROJECT")
    region = access.settings["region"] or "global"
    claude = AnthropicTransport(
        access.provider,
        lambda: vertex_client(access.key, project, region, access.base_url, access.timeouts),
        secrets=(access.key,),
        timeouts=access.timeouts,
    )
    google = GeminiTransport(
        access.provider,
        lambda: gemini_client(
            access.key,
            access.base_url,
            access.timeouts,
            vertex=True,
            project=project,
            region=region,
        ),
        secrets=(access.key,),
        timeouts=access.timeouts,
    )
    return _Either(access.provider, {Api.GEMINI: google, Api.ANTHROPIC: claude})


class _Either:
    """A transport for each API; one is opened when it is first used."""

    def __init__(self, provider: str, transports: Mapping[Api, Transport]) -> None:
        self.apis = tuple(transports)
        self._provider, self._transports = provider, transports
        self._open: list[Transport] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self._open:
            await self._open.pop().__aexit__(kind, error, trace)

    async def send(
        self, model: str, request: Request, on_text: OnText | None = None
    ) -> Mapping[str, Json]:
        """Send a request with the transport that speaks its API."""
        check_api(self._provider, request.api, self.apis)
        transport = self._transports[request.api]
        if transport not in self._open:
            await transport.__aenter__()
            self._open.append(transport)
        return await transport.send(model, request, on_text)


def _local(name: str, url: str, variable: str) -> Provider:
    """A server on this computer: it wants no key."""
    keys = (f"{name.upper()}_API_KEY",)
    return Provider(name, keys, "openai", _CHAT, _open_openai, False, url, variable)


_ALIASES = {"google": "gemini"}

PROVIDERS: dict[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("openai", ("OPENAI_API_KEY",), "openai", _OPENAI, _open_openai),
        Provider(
            "anthropic", ("ANTHROPIC_API_KEY",), "anthropic", (Api.ANTHROPIC,), _open_anthropic
        ),
        Provider(
            "gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "gemini", (Api.GEMINI,), _open_gemini
        ),
        Provider(
            "azure",
            ("AZURE_OPENAI_API_KEY",),
            "openai",
            _OPENAI,
            _open_azure,
            settings={
                "endpoint": ("AZURE_OPENAI_ENDPOINT",),
                "deployment": ("AZURE_OPENAI_DEPLOYMENT",),
                "api_version": ("OPENAI_API_VERSION",),
            },
        ),
        Provider(
            "bedrock",
            ("AWS_BEARER_TOKEN_BEDROCK",),
            "anthropic",
            (Api.ANTHROPIC,),
            _open_bedrock,
            needs_key=False,
            settings={"region": ("AWS_REGION", "AWS_DEFAULT_REGION")},
        ),
        Provider(
            "vertex",
            (),
            "models",
            (Api.GEMINI, Api.ANTHROPIC),
            _open_vertex,
            needs_key=False,
            settings={
                "project": ("GOOGLE_CLOUD_PROJECT", "ANTHROPIC_VERTEX_PROJECT_ID"),
                "region": ("GOOGLE_CLOUD_LOCATION", "CLOUD_ML_REGION"),
            },
        ),
        Provider(
            "openrouter",
            ("OPENROUTER_API_KEY",),
            "openai",
            _CHAT,
            _open_openai,
            base_url="https://openrouter.ai/api/v1",
        ),
        _local("ollama", "http://127.0.0.1:11434/v1", "OLLAMA_HOST"),
        _local("vllm", "http://127.0.0.1:8000/v1", "VLLM_BASE_URL"),
        _local("lmstudio", "http://127.0.0.1:1234/v1", "LMSTUDIO_BASE_URL"),
        Provider(
            "openai-compatible",
            # Not OPENAI_API_KEY: that key is OpenAI's, and this server anybody's.
            ("OPENAI_COMPATIBLE_API_KEY",),
            "openai",
            _CHAT,
            _open_openai,
            needs_key=False,
            url_variable="OPENAI_COMPATIBLE_BASE_URL",
        ),
    )
}
"""Every provider by its name."""
