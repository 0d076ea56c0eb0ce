/** Commands for many custom emoji: import, export, purge, and copies from other servers. */
import { writeFileSync } from 'node:fs'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import {
  copyRemoteEmoji,
  emojiPicture,
  listAllEmojis,
  listRemoteEmojis,
  purgeEmojis,
  type StaffEmoji,
} from '@murmuration/contracts/media'
import { mapLimited } from '@murmuration/flow'
import { writeArchive } from './archive.js'
import { importEmojis, MANIFEST, type Manifest } from './emoji-import.js'
import { readNamed } from './named-file.js'
import type { Operator } from './operator.js'
import { type Commands, createProgress, DRY_RUN, examples } from './result.js'
import { DETACH, taskResult } from './tasks.js'

const AT_ONCE = 8
const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
}

const addImport = ({ group, run }: Commands): void => {
  group('emoji', '')
    .command('import')
    .argument('<archive>', 'tar, tar.gz or zip with pictures; - is the standard input')
    .description('Add the pictures of an archive as custom emoji. The shortcode is the name of the file.')
    .option('--prefix <prefix>', 'put this before each shortcode')
    .option('--suffix <suffix>', 'put this after each shortcode')
    .option('--category <category>', 'group of all of them in the emoji picker')
    .option('--overwrite', 'replace the pictures of emoji that exist; they are skipped otherwise')
    .option('--unlisted', 'do not show them in pickers')
    .option('--dry-run', 'only check each picture and shortcode')
    .addHelpText(
      'after',
      examples('emoji import blobs.tar.gz --category blobs --dry-run', 'emoji import - --prefix blob_ < blobs.zip'),
    )
    .action((archive, flags) => {
      const bytes = readNamed(archive)
      return run((operator) => importEmojis(operator, bytes, flags))()
    })
}

/** Files of an export of custom emoji: the pictures, and a manifest with the other properties of the emoji. */
const exportedFiles = async (operator: Operator, emojis: readonly StaffEmoji[]) => {
  const progress = createProgress()
  let count = 0
  const pictures = await mapLimited(emojis, AT_ONCE, async ({ shortcode }) => {
    const { media_type, image } = await operator.call(emojiPicture, { shortcode })
    progress(`${++count} of ${emojis.length} pictures so far`)
    return { name: `${shortcode}.${EXTENSIONS[media_type] ?? 'png'}`, bytes: Buffer.from(image, 'base64') }
  })
  const manifest: typeof Manifest._output = {
    emojis: emojis.map(({ shortcode, category = null, visible_in_picker, disabled }, n) => ({
      shortcode,
      file: pictures[n]?.name ?? '',
      category,
      visible_in_picker,
      disabled,
    })),
  }
  return [{ name: MANIFEST, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) }, ...pictures]
}

/** Writes a file. Throws if the file exists already, unless `overwrite` is true. */
const writeNew = (path: string, bytes: Buffer, overwrite: boolean): void => {
  try {
    writeFileSync(path, bytes, { flag: overwrite ? 'w' : 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'EEXIST'
        ? `There is a file ${path} already. --overwrite replaces it.`
        : `${path} cannot be written (${code}).`,
    )
  }
}

const addExport = ({ program, group, run }: Commands): void => {
  group('emoji', '')
    .command('export')
    .argument('<file>', 'path of the written tar.gz; - is the standard output')
    .description('Write all custom emoji of this server into an archive, with a manifest of their categories.')
    .option('--category <category>', 'only those of this group')
    .option('--overwrite', 'replace a file of this name')
    .addHelpText('after', examples('emoji export emoji.tar.gz', 'emoji export - --category blobs > blobs.tar.gz'))
    .action((file, { category, overwrite }) => {
      if (file === '-' && program.opts().json)
        throw new InvalidArgumentError('--json needs the name of a file, because the output is the archive.')
      return run(async (operator) => {
        const all = await operator.call(listAllEmojis, {})
        const emojis = all.filter((one) => category === undefined || one.category === category)
        const bytes = await writeArchive(await exportedFiles(operator, emojis))
        const text = `${emojis.length} emoji exported.`
        const data = { emojis: emojis.map((one) => one.shortcode), bytes: bytes.length }
        if (file === '-') return { data, text, bytes }
        writeNew(file, bytes, overwrite ?? false)
        return { data, text }
      })()
    })
}

const addCopy = ({ group, run }: Commands): void => {
  group('emoji', '')
    .command('copy')
    .argument('<shortcode>', 'name on the other server')
    .argument('<domain>', 'the other server')
    .description('Copy a custom emoji of another server that a known post or profile uses.')
    .option('--as <shortcode>', 'name on this server')
    .option('--category <category>', 'group in the emoji picker')
    .option('--overwrite', 'replace the picture of an emoji of this name')
    .addHelpText('after', examples('emoji copy blobcat other.example --category blobs'))
    .action(
      run(async (operator, shortcode, domain, { as, category, overwrite }) => {
        const found = await operator.call(listRemoteEmojis, { q: shortcode, domain, exact: true, limit: 200 })
        const one = found.find((each) => each.shortcode === shortcode)
        if (!one) throw new Error(`No emoji :${shortcode}: of ${domain} is known here.`)
        const copied = await operator.call(copyRemoteEmoji, {
          id: one.id,
          shortcode: as,
          category: category ?? null,
          overwrite: overwrite ?? false,
        })
        return { data: copied, text: `:${copied.shortcode}: ${copied.url}` }
      }),
    )
}

export const addEmojiArchiveCommands = (commands: Commands): void => {
  addCopy(commands)
  addImport(commands)
  addExport(commands)
  const { group, run } = commands
  group('emoji', '')
    .command('purge')
    .description('Remove all custom emoji of this server, and the copies of those of other servers.')
    .option('--remote-only', 'only copies of emoji of other servers; they are fetched again when someone looks')
    .option('--by-domain <domain>', 'only copies of emoji of this server')
    .option(...DRY_RUN)
    .option(...DETACH)
    .addHelpText('after', examples('emoji purge --by-domain other.example --dry-run', 'emoji purge --remote-only'))
    .action(
      run(async (operator, { remoteOnly, byDomain, dryRun, detach }) => {
        const task = await operator.call(purgeEmojis, {
          remote_only: remoteOnly ?? false,
          domain: byDomain ?? null,
          dry_run: dryRun ?? false,
        })
        return taskResult(operator, 'media', task, { things: 'emoji', done: 'removed', would: 'remove' }, { detach })
      }),
    )
}
