/** Settings: typed values from the environment, validated, frozen, and printable without secrets. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

export interface Setting<T> {
  readonly env: string
  readonly schema: z.ZodType<T>
  readonly fallback: string | undefined
  readonly secret: boolean
  readonly about: string
}
interface More {
  or?: string | number | boolean
  about: string
}
const setting = <T>(schema: z.ZodType<T>, env: string, more: More, secret = false): Setting<T> => ({
  env,
  schema,
  fallback: more.or === undefined ? undefined : String(more.or),
  secret,
  about: more.about,
})

const TRUE = ['true', '1', 'yes', 'on']
const FALSE = ['false', '0', 'no', 'off', '']

/** Setting that is any text. */
export const text = (env: string, more: More) => setting(z.string(), env, more)
/** Setting that is a text, and is hidden when settings are printed. */
export const secret = (env: string, more: More) => setting(z.string(), env, more, true)
/** Text about a range of numbers, for errors. A bound that was not given is left out. */
const rangeText = (min: number, max: number): string => {
  if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`
  return min === Number.MIN_SAFE_INTEGER ? '' : `, at least ${min}`
}
/** Setting that is a whole number from `min` (default: 0) to `max`. */
export const int = (env: string, more: More & { min?: number; max?: number }) => {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = more
  const sentence = `must be a whole number${rangeText(min, max)}`
  return setting(
    z
      .string()
      .regex(/^-?\d+$/, sentence)
      .transform(Number)
      .pipe(z.number().min(min, sentence).max(max, sentence)) as unknown as z.ZodType<number>,
    env,
    more,
  )
}
/** Setting that is `true` or `false`; also 1, yes, on, 0, no, off and empty. */
export const bool = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine((v) => [...TRUE, ...FALSE].includes(v.toLowerCase()), 'must be true or false')
      .transform((v) => TRUE.includes(v.toLowerCase())) as unknown as z.ZodType<boolean>,
    env,
    more,
  )
/** Setting that is an http, https, ws or wss URL, or empty. */
export const address = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine(
        (text) => text === '' || (/^(?:https?|wss?):\/\/[^\s/?#]+\S*$/.test(text) && URL.canParse(text)),
        'must be an address such as https://social.example',
      ),
    env,
    more,
  )
const DOMAIN = /^(?:[\p{L}\p{N}_.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/u
/** False also for ports and numeric addresses that no URL can contain, such as `a.example:99999`. */
const isDomain = (text: string): boolean => DOMAIN.test(text) && URL.canParse(`http://${text}`)
/** Setting that is a host name with optional port, or empty. */
export const domain = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine((text) => text === '' || isDomain(text), 'must be a host name such as social.example, without https://'),
    env,
    more,
  )
/** Setting that is a comma-separated list of host names, or empty. */
export const domains = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine(
        (text) => text === '' || text.split(',').every((one) => isDomain(one.trim())),
        'must be host names, comma separated, without https://',
      ),
    env,
    more,
  )
const isBlock = (text: string): boolean => {
  const [, base = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? []
  return isIP(base) > 0 && Number(bits) <= (isIP(base) === 4 ? 32 : 128)
}
/** Setting that is a comma-separated list of address blocks, or empty. */
export const blocks = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine(
        (text) => text === '' || text.split(',').every((one) => isBlock(one.trim())),
        'must be blocks such as 127.0.0.0/8, comma separated',
      ),
    env,
    more,
  )
// `existsSync` is false also for paths that this user may not reach, for which `statSync` throws.
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
/** Setting that is the path of an existing folder, or empty. */
export const folder = (env: string, more: More) =>
  setting(
    z.string().refine((path) => path === '' || isFolder(path), 'names a folder that is not there'),
    env,
    more,
  )
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
/** Setting that is the path of a readable file with certificates in PEM, or empty. */
export const certificates = (env: string, more: More) =>
  setting(
    z
      .string()
      .refine(
        (path) => path === '' || readText(path).includes('-----BEGIN CERTIFICATE-----'),
        'names no readable file with certificates in PEM',
      ),
    env,
    more,
  )
const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
/**
 * Reason why a text is no URL with one of these schemes, or null if it is one. The reason does not contain the text,
 * which may contain a password.
 */
export const serverUrlProblem = (text: string, schemes: readonly string[], several = false): string | null => {
  for (const one of several ? text.split(',') : [text]) {
    const url = URL.parse(one)
    if (!url || !schemes.includes(url.protocol.slice(0, -1)))
      return `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`
    // The clients of PostgreSQL, NATS and Redis decode user, password and path of the URL. Their errors do not name the
    // setting, so the encoding is checked here.
    if (!isDecodable(`${url.username} ${url.password} ${url.pathname}`))
      return 'contains a % without two hexadecimal digits after it: write %25'
    if (url.protocol.startsWith('redis') && !/^\/?\d*$/.test(url.pathname))
      return 'names the database by no number, as in redis://127.0.0.1:6379/0'
  }
  return null
}
/**
 * Setting that is the URL of a server, which may contain a password. With `several`, it may be a comma-separated list
 * of URLs.
 */
export const serverUrl = (env: string, schemes: readonly string[], more: More & { several?: boolean }) =>
  setting(
    z.string().check((context) => {
      const message = context.value === '' ? null : serverUrlProblem(context.value, schemes, more.several)
      if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
    }),
    env,
    more,
    true,
  )
/** Setting that is one of these texts. */
export const oneOf = <const T extends string>(env: string, values: readonly T[], more: More) =>
  setting(
    z.enum(values as unknown as [T, ...T[]], `must be one of ${values.join(', ')}`) as unknown as z.ZodType<T>,
    env,
    more,
  )

// biome-ignore lint/suspicious/noExplicitAny: one table contains settings of every type.
export type Settings = Record<string, Setting<any>>
export type ConfigOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

export class ConfigError extends Error {}

/**
 * The environment completed by the files of SECRETS_DIR: each file is named like a variable and contains its value,
 * like mounted secrets. Variables that are set take precedence over files.
 */
export const withSecretFiles = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const dir = env.SECRETS_DIR
  if (!dir) return env
  if (!existsSync(dir)) throw new ConfigError(`SECRETS_DIR names a folder that is not there (it is "${dir}").`)
  try {
    const files = readdirSync(dir).filter(
      (file) => /^[A-Z][A-Z0-9_]*$/.test(file) && statSync(join(dir, file)).isFile(),
    )
    return { ...Object.fromEntries(files.map((file) => [file, readFileSync(join(dir, file), 'utf8').trim()])), ...env }
  } catch (error) {
    throw new ConfigError(`SECRETS_DIR cannot be read (it is "${dir}"): ${(error as Error).message}.`)
  }
}

/** Reads settings; throws one ConfigError that lists each wrong variable on its own line. An empty variable counts as absent. */
export const readConfig = <S extends Settings>(settings: S, given: NodeJS.ProcessEnv): ConfigOf<S> => {
  const env = withSecretFiles(given)
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(settings)) {
    const given = env[one.env]?.trim() || one.fallback
    if (given === undefined) {
      problems.push(`${one.env} is missing: ${one.about}`)
      continue
    }
    const parsed = one.schema.safeParse(given)
    if (parsed.success) values[key] = parsed.data
    else
      problems.push(
        `${one.env} ${parsed.error.issues[0]?.message ?? 'is wrong'}${one.secret ? '' : ` (it is "${given}")`}: ${one.about}`,
      )
  }
  if (problems.length) throw new ConfigError(problems.join('\n'))
  return Object.freeze(values) as ConfigOf<S>
}

/** Settings for a log line. Secrets and passwords in URLs are hidden. */
export const printable = (settings: Settings, config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, one]) => [
      one.env,
      one.secret && config[key] ? '***' : String(config[key]).replace(/\/\/([^:@/]+):[^@/]+@/, '//$1:***@'),
    ]),
  )
