/** Operations as values: the one literal from which route, checks, types, subject, permissions and reference come. */
import type { z } from 'zod'
import type { Audience, AudienceKind } from './audience.js'
import type { ErrorCode } from './errors.js'
import type { Route } from './http.js'
import { type JsonOutput, json, type Output } from './output.js'

/** Decides the time limit, the bulkhead, and which requests are refused first under load. */
export type RouteClass = 'read' | 'write' | 'login' | 'search' | 'upload' | 'inbox' | 'admin' | 'page'

/** Whole-request budget of each class, in milliseconds. */
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

/** Caching of a response: `private` nobody, `anonymous` shared for 15 s when no token was sent, `instance` for 5 minutes. */
export type CachePolicy = 'private' | 'anonymous' | 'instance'

export interface OperationSpec<I extends z.ZodType, O extends Output, K extends AudienceKind> {
  http?: Route | readonly (Route | readonly Route[])[]
  viewer: Audience<K>
  input: I
  output: O
  about: string
  /** Defaults: GET is `read`, everything else `write`; internal operations are `read`. */
  class?: RouteClass
  cache?: CachePolicy
  /** Codes beyond those that any operation may give. */
  errors?: readonly ErrorCode[]
  /** Rate limit of a family of operations that a success consumes. */
  family?: 'statuses' | 'follows' | 'reports'
  /** Files are streamed to staging by the edge; the handler gets `{ key, size, type, name }` under these field names. */
  files?: readonly string[]
  /** Pictures may also stand in a field as a `data:` address; the edge stages them like files. */
  inlineFiles?: boolean
  /**
   * May be asked again while an earlier attempt goes on or its outcome is unknown. Defaults: class `read`, and what is only
   * read by GET.
   */
  repeatable?: boolean
  /** A POST that creates something: `Idempotency-Key` gives one effect. */
  creates?: boolean
  /** The reply may pass the bus limit and travels in several messages. */
  large?: boolean
  /** Often asked by many at once, with short answers: questions of one moment travel in one message, each with its own answer. */
  batchable?: boolean
  /** The body is passed on as bytes, unparsed, up to this many bytes (inbox). */
  rawBody?: number
  /** The edge puts the bearer token into the input as `access_token`, in place of whatever was sent there. */
  wantsToken?: boolean
}

export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends Output = Output,
  K extends AudienceKind = AudienceKind,
> {
  readonly kind: 'operation'
  /** `<service>.<noun>.<verb>`. */
  readonly name: string
  readonly service: string
  /** `rpc.<service>.<noun>.<verb>`. */
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

// biome-ignore lint/suspicious/noExplicitAny: a list of operations holds every input and output type.
export type AnyOperation = Operation<any, any, any>

const flatten = (http: OperationSpec<z.ZodType, Output, AudienceKind>['http']): Route[] =>
  http === undefined ? [] : 'path' in http ? [http as Route] : (http as readonly (Route | readonly Route[])[]).flat()

const isOutput = (output: unknown): output is Output =>
  typeof output === 'object' &&
  output !== null &&
  'kind' in output &&
  ['page', 'json', 'lines', 'raw'].includes(String(output.kind))

/**
 * Declares an operation. `output` may be a bare schema, which means one JSON document.
 * @example
 * export const home = operation('statuses.timeline.home', {
 *   http: get('/api/v1/timelines/home'),
 *   viewer: user('read|read:statuses'),
 *   input: page(),
 *   output: pageOf(Status, 'A', ['local', 'limit']),
 *   about: 'Statuses of the people and tags you follow, newest first.',
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
