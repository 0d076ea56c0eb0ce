/** Compares the client API with another OpenAPI description of it: `node … bin/compare-api.ts DESCRIPTION.json`. */
import { readFileSync } from 'node:fs'
import { openApiDocument } from '@murmuration/contracts/openapi'
import { type Description, differences } from './compare/differences.js'
import { explained } from './compare/explained.js'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the description to compare with: bin/compare-api.ts DESCRIPTION.json')
  process.exit(2)
}
const theirs = JSON.parse(readFileSync(file, 'utf8')) as Description
const ours = openApiDocument({ origin: 'https://social.example' }) as unknown as Description
const { open, stale } = explained(differences(ours, theirs))
for (const difference of open) console.log(`not explained: ${difference}`)
for (const difference of stale) console.log(`explained, but no longer there: ${difference}`)
console.log(`${open.length} differences not explained, ${stale.length} explanations stale`)
process.exitCode = open.length + stale.length > 0 ? 1 : 0
