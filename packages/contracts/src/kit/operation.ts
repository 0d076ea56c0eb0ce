/** Operations as values. Route, validation, types, subject, permissions and reference are derived from one declaration. */
import type { z } from 'zod'
import type { Audience, AudienceKind } from './audience.js'
import type { ErrorCode } from './errors.js'
import type { Route } from './http.js'
import { type JsonOutput, json, type Output } from './output.js'

/** Class of an operation. It determines the time limit and the concurrency limit, and which requests are refused first under load. */
export type RouteClass = 'read' | 'write' | 'login' | 'search' | 'upload' | 'inbox' | 'admin' | 'page'

/** Time limit of a whole request by class, in milliseconds. */
export const BUDGET_MS: Record<RouteClass, number> = {
  read: 5_000,
  write: 10_000,
  login: 5_000,
  search: 25_000,
  upload: 120_000,
  inbox: 10_000,
  admin: 15_000,
  page: 10_000,
}

/** Caching of a response: `private` never, `anonymous` for 15 s when no token was sent, `instance` for 5 minutes. */
export type CachePolicy = 'private' | 'anonymous' | 'instance'

export interface OperationSpec<I extends z.ZodType, O extends Output, K extends AudienceKind> {
  http?: Route | readonly (Route | readonly Route[])[]
  viewer: Audience<K>
  input: I
  output: O
  about: string
  /** Class of the operation. Default: `read` for GET and for internal operations, `write` for all others. */
  class?: RouteClass
  cache?: CachePolicy
  /** Error codes of the operation, in addition to the codes that every operation may return. */
  errors?: readonly ErrorCode[]
  /** Family of requests that share a rate limit. A successful request counts towards it. */
  family?: 'statuses' | 'follows' | 'reports'
  /** Names of file fields. The gateway streams the files to staging, and the handler gets `{ key, size, type, name }` for each. */
  files?: readonly string[]
  /** True when images may also be sent as `data:` URLs in a field. The gateway stages these images like files. */
  inlineFiles?: boolean
  /**
   * True when callers may send the request again after a timeout or a lost connection. Because the handler of the first
   * request may still run, a repeated request must have no further effect. Default: true for class `read` and for
   * operations with GET routes only.
   */
  repeatable?: boolean
  /** True for a POST that creates an entity. Requests with the same `Idempotency-Key` then take effect only once. */
  creates?: boolean
  /** True when the response may exceed the message limit of the bus. A large response is then sent in several messages. */
  large?: boolean
  /** True for frequent operations with short responses: simultaneous requests are sent in one message, each with its own response. */
  batchable?: boolean
  /** Maximum body size in bytes. If it is set, the gateway passes the body on unparsed, as the inbox needs it. */
  rawBody?: number
  /** True when the gateway sets `access_token` of the input to the bearer token, replacing a sent value. */
  wantsToken?: boolean
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends Output = Output,
  K extends AudienceKind = AudienceKind,
> {
  readonly kind: 'operation'
  /** Name of the operation: `<service>.<noun>.<verb>`. */
  readonly name: string
  readonly service: string
  /** NATS subject of the operation: `rpc.<service>.<noun>.<verb>`. */
  readonly subject: string
  readonly http: readonly Route[]
  readonly viewer: Audience<K>
  readonly input: I
  readonly output: O
  readonly about: string
  readonly class: RouteClass
  readonly cache: CachePolicy
  readonly errors: readonly ErrorCode[]
  readonly family: 'statuses' | 'follows' | 'reports' | null
  readonly files: readonly string[]
  readonly inlineFiles: boolean
  readonly repeatable: boolean
  readonly creates: boolean
  readonly large: boolean
  readonly batchable: boolean
  readonly rawBody: number
  readonly wantsToken: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations contains every input and output type.
export type AnyOperation = Operation<any, any, any>

const flatten = (http: OperationSpec<z.ZodType, Output, AudienceKind>['http']): Route[] =>
  http === undefined ? [] : 'path' in http ? [http as Route] : (http as readonly (Route | readonly Route[])[]).flat()

const isOutput = (output: unknown): output is Output =>
  typeof output === 'object' &&
  output !== null &&
  'kind' in output &&
  ['page', 'json', 'lines', 'raw'].includes(String(output.kind))

/**
 * Declares an operation. `output` may be a schema, which means one JSON document.
 * @example
 * export const home = operation('statuses.timeline.home', {
 *   http: get('/api/v1/timelines/home'),
 *   viewer: user('read|read:statuses'),
 *   input: page(),
 *   output: pageOf(Status, 'timeline', ['local', 'limit']),
 *   about: 'Home timeline of the viewer, newest first.',
 * })
 */
export function operation<I extends z.ZodType, K extends AudienceKind, O extends Output>(
  name: string,
  spec: OperationSpec<I, O, K>,
): Operation<I, O, K>
export function operation<I extends z.ZodType, K extends AudienceKind, S extends z.ZodType>(
  name: string,
  spec: Omit<OperationSpec<I, Output, K>, 'output'> & { output: S },
): Operation<I, JsonOutput<S>, K>
export function operation(
  name: string,
  spec: Omit<OperationSpec<z.ZodType, Output, AudienceKind>, 'output'> & { output: Output | z.ZodType },
): AnyOperation {
  const http = flatten(spec.http)
  const gets = http.length > 0 && http.every((route) => route.method === 'GET')
  const reads = spec.viewer.kind === 'internal' || gets
  const routeClass = spec.class ?? (reads ? 'read' : 'write')
  return {
    kind: 'operation',
    name,
    service: name.slice(0, name.indexOf('.')),
    subject: `rpc.${name}`,
    http,
    viewer: spec.viewer,
    input: spec.input,
    output: isOutput(spec.output) ? spec.output : json(spec.output),
    about: spec.about,
    class: routeClass,
    cache: spec.cache ?? 'private',
    errors: spec.errors ?? [],
    family: spec.family ?? null,
    files: spec.files ?? [],
    inlineFiles: spec.inlineFiles ?? false,
    repeatable: spec.repeatable ?? (routeClass === 'read' || gets),
    creates: spec.creates ?? false,
    large: spec.large ?? false,
    batchable: spec.batchable ?? false,
    rawBody: spec.rawBody ?? 0,
    wantsToken: spec.wantsToken ?? false,
  }
}
