/** `node bin/tools.mjs [--install] [docker] [compose] [chromium] [ffmpeg] [helm]`: lists the tools of the tests, and installs missing ones. */
import { say } from './lib/say.mjs'
import { findTool, provideTool, TOOLS } from './lib/tools.mjs'

const words = process.argv.slice(2)
const install = words.includes('--install')
const asked = words.filter((word) => word !== '--install')
const unknown = asked.find((name) => !TOOLS[name])
if (unknown !== undefined) {
  console.error(`Usage: node bin/tools.mjs [--install] [${Object.keys(TOOLS).join('] [')}]; there is no ${unknown}.`)
  process.exit(2)
}
for (const name of asked.length ? asked : Object.keys(TOOLS)) {
  const found = await (install ? provideTool(name, say) : findTool(name))
  const { title } = TOOLS[name]
  if ('missing' in found) process.exitCode = 1
  console.log(
    'missing' in found ? `${title}: missing (${found.missing})` : `${title} ${found.version}: ${found.argv.join(' ')}`,
  )
}
