/** The version of the product, from the root `package.json`, as a module that all services import. */
import { read } from '../rules/files.js'

export const versionFile = (): string => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  return `/** Version of Murmuration. Written by \`npm run gen\` from the root package.json. */\nexport const VERSION = '${version}'\n`
}
