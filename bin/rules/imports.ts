/**
 * Checks imports and IO: services import neither other services nor their own manifest. SQL and Redis commands are only in store files.
 * Only config files read the environment.
 */
import { posix } from 'node:path'
import { type Problem, type SourceFile, sources } from './files.js'
import { importsOf } from './import-lines.js'

const SERVICES = ['gateway', 'accounts', 'statuses', 'notifications', 'federation', 'media', 'admin', 'streaming']
/** The service to which a file in `src/` belongs, and the folder of the file; null for files outside services. */
const inService = (file: SourceFile): { service: string; folder: string } | null => {
  const match = /^services\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(file.path)
  return match ? { service: match[1] ?? '', folder: match[2] ?? '' } : null
}

const check = (file: SourceFile): Problem[] => {
  const place = inService(file)
  const test = file.path.endsWith('.test.ts')
  return importsOf(file.text).flatMap((target) => {
    const problems: Problem[] = []
    const other = SERVICES.find(
      (name) => target === `@murmuration/${name}` || target.startsWith(`@murmuration/${name}/`),
    )
    if (other && !test && file.path.startsWith('services/') && place?.service !== other)
      problems.push(`${file.path} imports the service ${other}: ask it over the bus instead`)
    const reached = posix.join(posix.dirname(file.path), target)
    if (place && place.folder !== '' && !test && reached === `services/${place.service}/src/manifest.js`)
      problems.push(`${file.path} imports the manifest, which imports every module: import calls.js`)
    return problems
  })
}

/** Problems of files that read `process.env`. `process.env` may be read only by config files and entry points of processes. */
const environment = (file: SourceFile): Problem[] =>
  /process\.env\b/.test(file.text) &&
  /^services\/.*\/src\//.test(file.path) &&
  !/config\.ts$|\.test\.ts$/.test(file.path)
    ? [`${file.path} reads process.env: settings belong into config.ts`]
    : []

/** Ways to send commands to Redis. `withFallback` is a method of connections to Redis only. */
const REDIS_COMMAND = /\.withFallback\b|\bredis(?:Cache)?\.(?:run|client)\b|\bRedisClient\b/

/** Problems of files that contain SQL or Redis commands without being store files. */
const storePlace = (file: SourceFile): Problem[] => {
  if (!inService(file) || /\.test\.ts$|[./]store\.ts$/.test(file.path)) return []
  return [
    ...(/\bsql`/.test(file.text) ? [`${file.path} contains SQL: it belongs into store.ts`] : []),
    ...(REDIS_COMMAND.test(file.text) ? [`${file.path} sends commands to Redis: they belong into store.ts`] : []),
  ]
}

/**
 * Problems of files that open Redis or the blob store directly. A service must open stores with `needs`, which permits
 * only those in the manifest of the role.
 */
const opened = (file: SourceFile): Problem[] => {
  if (!/^services\/.*\/src\//.test(file.path) || file.path.endsWith('.test.ts')) return []
  const redis = /\bopenRedis\(/.test(file.text)
    ? [`${file.path} opens Redis: take redis or redisCache of the context`]
    : []
  const blob = /(?<!grant\('blob', \(\) =>\s*)\bcreateBlobStore\(/.test(file.text)
    ? [`${file.path} opens the blob store: write needs.grant('blob', () => createBlobStore(…))`]
    : []
  return [...redis, ...blob]
}

/** All problems of these files with imports and IO. */
export const importProblems = (files: readonly SourceFile[]): Problem[] =>
  files.flatMap((file) => [...check(file), ...environment(file), ...storePlace(file), ...opened(file)])

export const importRules = (): Problem[] => importProblems(sources('packages/*/src/*.ts', 'services/*/src/*.ts'))
