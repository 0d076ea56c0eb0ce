/**
 * The probe of permissions at Redis. It runs each command that a service uses, on keys of the probe. It fails if Redis
 * refuses a command.
 */

/** Lifetime of the keys of the probe, in milliseconds. */
const LIFETIME_MS = 60_000

const set = (key: string): string => `${key}:set`
const sorted = (key: string): string => `${key}:sorted`

/**
 * Arguments of each command that a manifest may list, in the order of the probe. The commands store at most a value and
 * a set with one member. The last command, `del`, deletes both.
 */
const CALLS = {
  set: (key: string) => ['SET', key, '1', 'PX', String(LIFETIME_MS)],
  get: (key: string) => ['GET', key],
  mget: (key: string) => ['MGET', key],
  incrby: (key: string) => ['INCRBY', key, '0'],
  setex: (key: string) => ['SETEX', key, String(LIFETIME_MS / 1_000), '1'],
  expire: (key: string) => ['EXPIRE', key, String(LIFETIME_MS / 1_000)],
  pexpire: (key: string) => ['PEXPIRE', key, String(LIFETIME_MS)],
  eval: (key: string) => ['EVAL', 'return 1', '1', key],
  sadd: (key: string) => ['SADD', set(key), '1'],
  scard: (key: string) => ['SCARD', set(key)],
  // The option XX adds no member.
  zadd: (key: string) => ['ZADD', sorted(key), 'XX', '0', '1'],
  zcard: (key: string) => ['ZCARD', sorted(key)],
  zmscore: (key: string) => ['ZMSCORE', sorted(key), '1'],
  zrange: (key: string) => ['ZRANGE', sorted(key), '0', '0'],
  zrem: (key: string) => ['ZREM', sorted(key), '1'],
  zremrangebyrank: (key: string) => ['ZREMRANGEBYRANK', sorted(key), '0', '0'],
  zremrangebyscore: (key: string) => ['ZREMRANGEBYSCORE', sorted(key), '0', '0'],
  zscore: (key: string) => ['ZSCORE', sorted(key), '1'],
  del: (key: string) => ['DEL', key, set(key)],
} as const

/** A command that a manifest may list, in lower case. A command that is added here needs arguments for the probe. */
export type RedisCommand = keyof typeof CALLS

const COMMANDS = Object.keys(CALLS) as RedisCommand[]

export interface Probe {
  /** Key of this service on which the probe runs the writing commands. */
  writes: string
  /** Keys of other services that this service may read. */
  reads: readonly string[]
  /** Commands that the service uses, also in scripts. */
  commands: readonly RedisCommand[]
}

interface Commands {
  sendCommand(words: readonly string[]): Promise<unknown>
  exists(key: string): Promise<unknown>
}

/** Runs the probe in one round trip. Rejects with the first refusal. */
export const runProbe = async (client: Commands, { writes, reads, commands }: Probe): Promise<void> => {
  const used = COMMANDS.filter((name) => name === 'set' || commands.includes(name))
  await Promise.all([
    ...used.map((name) => client.sendCommand(CALLS[name](writes))),
    ...[writes, ...reads].map((key) => client.exists(key)),
  ])
}
