/** Common settings with the rules between them, and the URLs and storage options that follow from them. */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { normaliseDomain } from '@murmuration/text/domain'
import { prepareFolder } from './folder.js'
import {
  address,
  blocks,
  bool,
  ConfigError,
  type ConfigOf,
  certificates,
  domain,
  domains,
  int,
  oneOf,
  readConfig,
  type Settings,
  secret,
  serverUrl,
  serverUrlProblem,
  text,
  withSecretFiles,
} from './settings.js'

const POSTGRES = ['postgres', 'postgresql']
const REDIS = ['redis', 'rediss']

/** Settings of every service. */
export const commonSettings = {
  mode: oneOf('MODE', ['production', 'development', 'test'], {
    or: 'production',
    about: 'How strict to be; test opens the test interface.',
  }),
  localDomain: domain('LOCAL_DOMAIN', { or: 'localhost:3000', about: 'The domain in handles: @name@LOCAL_DOMAIN.' }),
  webDomain: domain('WEB_DOMAIN', { or: '', about: 'The domain in addresses, when it is not LOCAL_DOMAIN.' }),
  alternateDomains: domains('ALTERNATE_DOMAINS', {
    or: '',
    about:
      'Further host names of this server, comma separated; requests for host names that are neither these nor LOCAL_DOMAIN or WEB_DOMAIN are refused. URLs with these names are looked up as URLs of this server, and handles with these names are handles of local accounts.',
  }),
  localHttps: oneOf('LOCAL_HTTPS', ['auto', 'true', 'false'], {
    or: 'auto',
    about: 'Scheme of given-out addresses; auto is https except for localhost and addresses with a port.',
  }),
  sourceUrl: address('SOURCE_BASE_URL', {
    or: '',
    about: 'Where the source code of this server can be had; when empty, the about page says whom to ask.',
  }),
  databaseUrl: serverUrl('DATABASE_URL', POSTGRES, {
    or: 'postgres://localhost/murmuration',
    about: 'PostgreSQL; each service may have its own as <SERVICE>_DATABASE_URL.',
  }),
  databaseRoles: oneOf('DATABASE_ROLES', ['derived', 'shared'], {
    or: 'derived',
    about: 'derived: each service logs in as murmuration_<service>; shared: as DATABASE_URL says.',
  }),
  databasePool: int('DB_POOL', {
    or: 8,
    min: 1,
    max: 200,
    about: 'Most PostgreSQL connections of one service in one process.',
  }),
  databasePoolTimeout: int('DB_POOL_TIMEOUT', {
    or: 2_000,
    min: 100,
    max: 60_000,
    about: 'Milliseconds that a statement waits for a free connection of the pool; then the request gets 503.',
  }),
  databaseConnections: int('DATABASE_CONNECTIONS', {
    or: 0,
    about:
      'Most connections that all processes together open, for the migrations to compare with what PostgreSQL takes; 0: each service runs once.',
  }),
  databaseWait: int('DATABASE_WAIT', {
    or: 0,
    max: 86_400,
    about: 'Seconds that the migrations wait for PostgreSQL to respond; 0 tries once.',
  }),
  preparedStatements: bool('PREPARED_STATEMENTS', {
    or: true,
    about: 'Named prepared statements; false behind a transaction pooler.',
  }),
  natsUrl: serverUrl('NATS_URL', ['nats', 'tls'], {
    or: 'nats://127.0.0.1:4222',
    several: true,
    about: 'NATS servers, comma separated.',
  }),
  natsUsers: oneOf('NATS_USERS', ['derived', 'shared'], {
    or: 'shared',
    about: 'derived: each service has its own login, made from SECRET_KEY_BASE; shared: as NATS_URL says.',
  }),
  natsReplicas: int('NATS_REPLICAS', { or: 1, min: 1, max: 5, about: 'Copies of each stream.' }),
  natsStreamBytes: int('NATS_STREAM_BYTES', {
    or: 1_073_741_824,
    min: 1_048_576,
    about:
      'Most bytes of one stream. NATS reserves them for every stream, so that the sum must fit into its max_file_store.',
  }),
  redisUrl: serverUrl('REDIS_URL', REDIS, {
    or: 'redis://127.0.0.1:6379',
    about:
      'Redis for state: feeds, limits, leases; never evicts. Each service may have its own as <SERVICE>_REDIS_URL.',
  }),
  redisCacheUrl: serverUrl('REDIS_CACHE_URL', REDIS, {
    or: '',
    about: 'Redis for cards; may evict. Defaults to REDIS_URL.',
  }),
  secretKeyBase: secret('SECRET_KEY_BASE', {
    about: 'At least 32 characters; everything that is signed or derived starts from it.',
  }),
  secretKeyBasePrevious: secret('SECRET_KEY_BASE_PREVIOUS', {
    or: '',
    about:
      'The SECRET_KEY_BASE before a change. It only decrypts stored secrets, until bin/ctl secrets renew has encrypted them again.',
  }),
  healthHost: text('HEALTH_HOST', { or: '127.0.0.1', about: 'Address of the health port.' }),
  healthPort: int('HEALTH_PORT', {
    or: 0,
    max: 65_535,
    about: 'Port of /livez, /readyz and /metrics; 0 takes a free one.',
  }),
  edgeWait: int('EDGE_WAIT_SECONDS', {
    or: 30,
    max: 3_600,
    about:
      'Seconds that gateway and streaming wait for the services they call and for the instance policy before they open their port; 0 opens at once.',
  }),
  stuckAfter: int('STUCK_AFTER_SECONDS', {
    or: 300,
    max: 86_400,
    about:
      'Seconds without progress after which a consumer counts as stuck and /livez fails, so that the process is restarted; three times the deadline of its handler if that is longer. 0: never.',
  }),
  stopGrace: int('STOP_GRACE_SECONDS', {
    or: 25,
    min: 10,
    max: 600,
    about: 'Seconds from SIGTERM until the process ends, however much work is left.',
  }),
  stopDelay: int('STOP_DELAY_SECONDS', {
    or: 5,
    max: 60,
    about:
      'Seconds from SIGTERM during which connections are still accepted, while load balancers learn that the process is not ready; without a value only in production.',
  }),
  extraCaFile: certificates('EXTRA_CA_FILE', {
    or: '',
    about:
      'PEM file of certificate authorities that every TLS connection trusts besides the public ones: to other servers, PostgreSQL, NATS, Redis, S3, the mail server, push services and identity providers.',
  }),
  logLevel: oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    or: 'info',
    about: 'Least level that is logged.',
  }),
  tracesTo: address('OTEL_EXPORTER_OTLP_ENDPOINT', {
    or: '',
    about: 'Collector that traces are sent to by OTLP over HTTP, such as http://collector:4318; empty sends none.',
  }),
  socketsPerAddress: int('SOCKETS_PER_ADDRESS', {
    or: 100,
    min: 1,
    about:
      'Connections that one public address (IPv6: one /64) may hold open at a process; own networks are not counted.',
  }),
  faultPoints: text('FAULT_POINTS', { or: '', about: 'Faults to inject; test mode only.' }),
  batchPauses: bool('BATCH_PAUSES', {
    or: true,
    about: 'Pauses that let batches grow; false, in test mode only, sends every batch at once.',
  }),
  testClockOffsetMs: int('TEST_CLOCK_OFFSET_MS', {
    or: 0,
    min: Number.MIN_SAFE_INTEGER,
    about: 'Moves the clock; test mode only.',
  }),
} satisfies Settings

export type CommonConfig = ConfigOf<typeof commonSettings>

/** Minimum number of seconds between the end of STOP_DELAY_SECONDS and the end of the process, for work in progress. */
const WORK_LEFT_S = 5

/** Reads the common settings and checks the rules between them. Throws a ConfigError if a setting is invalid. */
export const readCommonConfig = (env: NodeJS.ProcessEnv): CommonConfig => {
  const config = readConfig(commonSettings, env)
  if (config.secretKeyBase.length < 32)
    throw new ConfigError('SECRET_KEY_BASE is too short: at least 32 characters are needed.')
  if (config.secretKeyBasePrevious !== '' && config.secretKeyBasePrevious.length < 32)
    throw new ConfigError('SECRET_KEY_BASE_PREVIOUS is too short: it is no SECRET_KEY_BASE that was in use before.')
  if (config.secretKeyBasePrevious === config.secretKeyBase)
    throw new ConfigError('SECRET_KEY_BASE_PREVIOUS is SECRET_KEY_BASE itself: it must be the base before the change.')
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new ConfigError('NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates of other servers must be verified.')
  if (config.stopDelay + WORK_LEFT_S > config.stopGrace)
    throw new ConfigError(
      `STOP_DELAY_SECONDS is ${config.stopDelay} and STOP_GRACE_SECONDS is ${config.stopGrace}: at least ${WORK_LEFT_S} seconds must be left after the delay.`,
    )
  if (config.mode !== 'test' && config.faultPoints)
    throw new ConfigError(`FAULT_POINTS is set: MODE ${config.mode} refuses to start with injected faults.`)
  if (config.mode !== 'test' && config.testClockOffsetMs)
    throw new ConfigError(`TEST_CLOCK_OFFSET_MS is set: MODE ${config.mode} refuses to start with a moved clock.`)
  if (config.mode !== 'test' && !config.batchPauses)
    throw new ConfigError(`BATCH_PAUSES is false: MODE ${config.mode} refuses to start without pauses between batches.`)
  return config
}

/** Secret for one purpose, derived from SECRET_KEY_BASE with HMAC-SHA-256. */
export const derive = (config: Pick<CommonConfig, 'secretKeyBase'>, purpose: string): string =>
  createHmac('sha256', config.secretKeyBase).update(purpose).digest('base64url')

/** Public addresses of this server. */
export interface Site {
  /** Domain in handles, as configured. */
  readonly localDomain: string
  readonly webDomain: string
  /** Domains in handles that mean local accounts, in the form of `normaliseDomain`. */
  readonly handleDomains: ReadonlySet<string>
  /** `https://web.domain`, without a trailing slash. */
  readonly origin: string
  readonly https: boolean
  /** URL of the source code, which the licence requires. */
  readonly source: string
}

/** Public addresses of this server from its settings. */
export const siteOf = (
  config: Pick<CommonConfig, 'localDomain' | 'webDomain' | 'alternateDomains' | 'localHttps' | 'sourceUrl'>,
): Site => {
  const webDomain = config.webDomain || config.localDomain
  const plain = /^(localhost|127\.|\[::1\])/.test(webDomain) || /:\d+$/.test(webDomain)
  const https = config.localHttps === 'auto' ? !plain : config.localHttps === 'true'
  const origin = `${https ? 'https' : 'http'}://${webDomain}`
  return {
    localDomain: config.localDomain,
    webDomain,
    handleDomains: new Set(
      [config.localDomain, webDomain, ...entriesOf(config.alternateDomains)]
        .map(normaliseDomain)
        .filter((one) => one !== null),
    ),
    origin,
    https,
    source: config.sourceUrl || `${origin}/about#source`,
  }
}

/**
 * Value of the URL variable that a single service may have, or empty. Throws a ConfigError with the name of the
 * variable for an invalid value.
 */
const ownUrl = (env: NodeJS.ProcessEnv, name: string, schemes: readonly string[]): string => {
  const text = withSecretFiles(env)[name]?.trim() ?? ''
  const problem = text === '' ? null : serverUrlProblem(text, schemes)
  if (problem !== null) throw new ConfigError(`${name} ${problem}.`)
  return text
}

/** Database URL of one service: its own variable, else DATABASE_URL with the login of the service. */
export const databaseUrlOf = (config: CommonConfig, service: string, env: NodeJS.ProcessEnv): string => {
  const own = ownUrl(env, `${service.toUpperCase()}_DATABASE_URL`, POSTGRES)
  if (own) return own
  if (config.databaseRoles === 'shared') return config.databaseUrl
  const url = new URL(config.databaseUrl)
  const role = databaseRoleOf(config, service)
  url.username = role.name
  url.password = role.password
  return url.toString()
}

/** Redis URL for one service: its own variable, else the common one. Without a cache URL the state URL is used for the cache. */
export const redisUrlOf = (
  config: Pick<CommonConfig, 'redisUrl' | 'redisCacheUrl'>,
  store: 'state' | 'cache',
  service: string,
  env: NodeJS.ProcessEnv,
): string => {
  const name = service.toUpperCase()
  const state = ownUrl(env, `${name}_REDIS_URL`, REDIS) || config.redisUrl
  return store === 'state' ? state : ownUrl(env, `${name}_REDIS_CACHE_URL`, REDIS) || config.redisCacheUrl || state
}

/**
 * Login role and password of a service. The role name contains the database name, so that two instances can share a
 * database server.
 */
export const databaseRoleOf = (config: Pick<CommonConfig, 'secretKeyBase' | 'databaseUrl'>, service: string) => {
  const database = new URL(config.databaseUrl).pathname
    .slice(1)
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
  return { name: `${database || 'murmuration'}_${service}`, password: derive(config, `database:${service}`) }
}

/** Password of the login of a service on the bus; null if logins have no derived passwords. */
export const busPasswordOf = (
  config: Pick<CommonConfig, 'secretKeyBase' | 'natsUsers'>,
  service: string,
): string | null => (config.natsUsers === 'derived' ? derive(config, `bus:${service}`) : null)

/** Settings of services that send requests to the internet. */
export const outboundSettings = {
  allowAddresses: blocks('OUTBOUND_ALLOW_ADDRESSES', {
    or: '',
    about:
      'Private address blocks (CIDR, comma separated) that may be reached, for test networks; refused in production.',
  }),
} satisfies Settings

/** Entries of a comma-separated setting. */
export const entriesOf = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Private address blocks that may be contacted. Throws a ConfigError in production when any is set. */
export const allowedAddressesOf = (config: { allowAddresses: string }, mode: string): string[] => {
  if (config.allowAddresses && mode === 'production')
    throw new ConfigError('OUTBOUND_ALLOW_ADDRESSES is set: production reaches public addresses only.')
  return entriesOf(config.allowAddresses)
}

/** Storage of files. The settings are read by services with a blob store. */
export const blobSettings = {
  blobDir: text('BLOB_DIR', { or: '.data/blob', about: 'Folder for files when S3 is off.' }),
  s3Enabled: bool('S3_ENABLED', { or: false, about: 'Keep files in an S3 bucket.' }),
  s3Endpoint: address('S3_ENDPOINT', { or: '', about: 'Address of the S3 service.' }),
  s3Region: text('S3_REGION', { or: 'us-east-1', about: 'Region of the bucket.' }),
  s3Bucket: text('S3_BUCKET', { or: '', about: 'Name of the bucket.' }),
  s3KeyId: text('AWS_ACCESS_KEY_ID', { or: '', about: 'Key id for the bucket.' }),
  s3Secret: secret('AWS_SECRET_ACCESS_KEY', { or: '', about: 'Secret for the bucket.' }),
  s3PathStyle: bool('S3_FORCE_PATH_STYLE', { or: true, about: 'Bucket in the path rather than in the host name.' }),
} satisfies Settings

/** Options of a blob store for `@murmuration/blob`. Throws a ConfigError when the folder is not writable. */
export const blobOptionsOf = (config: ConfigOf<typeof blobSettings>) => {
  if (!config.s3Enabled) {
    prepareFolder('BLOB_DIR', config.blobDir)
    // The blob store writes each file to this folder first. The folder is checked as well, because an existing one may
    // belong to another user.
    prepareFolder('BLOB_DIR', join(config.blobDir, '.incoming'), 0o750)
    return { kind: 'disk' as const, dir: config.blobDir }
  }
  if (!config.s3Bucket) throw new ConfigError('S3_BUCKET is missing: S3_ENABLED is set.')
  return {
    kind: 's3' as const,
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    bucket: config.s3Bucket,
    accessKeyId: config.s3KeyId,
    secretAccessKey: config.s3Secret,
    forcePathStyle: config.s3PathStyle,
  }
}
