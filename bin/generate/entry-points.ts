/** Generates the lists of entry points of each service: the handlers of its modules. */
import { sources } from '../rules/files.js'
import { isEntryPoint } from '../rules/modules.js'

/** Services with lists of entry points. The gateway and streaming have none. */
const SERVICES = ['accounts', 'admin', 'federation', 'media', 'notifications', 'statuses']

/** Name of the import of a file: `ip-block/operations.ts` → `ipBlockOperations`. */
const nameOf = (path: string): string =>
  path.replace(/\.ts$/, '').replaceAll(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const listOf = (service: string): string => {
  const base = `services/${service}/src/`
  const files = sources(`${base}*.ts`).map(({ path }) => path.slice(base.length))
  const modules = files.filter((path) => isEntryPoint(base + path))
  const imports = modules.map((path) => `import * as ${nameOf(path)} from './${path.replace(/\.ts$/, '.js')}'`)
  return `/** Every entry point of ${service}. Written by \`npm run gen\`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
${imports.join('\n')}

export const { operations, reactions, jobs, ticks } = entryPoints(
${modules.map((path) => `  ${nameOf(path)},`).join('\n')}
)
`
}

/** Texts of the files with lists of entry points, by path. */
export const entryPointLists = (): Record<string, string> =>
  Object.fromEntries(SERVICES.map((service) => [`services/${service}/src/entry-points.ts`, listOf(service)]))
