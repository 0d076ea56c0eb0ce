/** `npm run map`: prints every folder and file with its first sentence. `npm run map -- accounts` prints only the folder `accounts`. */
import { sources } from './rules/files.js'

const wanted = process.argv[2] ?? ''
const sentence = (text: string): string =>
  (text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text)
    .trimStart()
    .split('\n', 2)
    .join(' ')
    .replace(/^\/\*\*?\s*|^\/\/\s*|^--\s*|\*\/.*$/g, '')
    .replace(/\s*\*\s*/g, ' ')
    .trim()

let folder = ''
for (const { path, text } of sources(
  'packages/*/src/*.ts',
  'services/*/src/*.ts',
  'services/*/migrations/*.sql',
  'bin/*.ts',
  'bin/*.mjs',
  'e2e/*.ts',
  'bench/*.ts',
).sort((a, b) => a.path.localeCompare(b.path))) {
  if (!path.includes(wanted) || path.endsWith('.test.ts')) continue
  const at = path.lastIndexOf('/')
  if (path.slice(0, at) !== folder) {
    folder = path.slice(0, at)
    process.stdout.write(`\n${folder}/\n`)
  }
  process.stdout.write(`  ${path.slice(at + 1).padEnd(34)} ${sentence(text)}\n`)
}
