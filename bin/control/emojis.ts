/** Commands for the custom emoji of this server. */
import { limits } from '@murmuration/contracts/limits'
import { createEmoji, listAllEmojis, removeEmoji, updateEmoji } from '@murmuration/contracts/media'
import { readNamed } from './named-file.js'
import { type Commands, DRY_RUN, examples, removeOrReport } from './result.js'

export const addEmojiCommands = ({ group, run }: Commands): void => {
  const emoji = group('emoji', 'Custom emoji of this server.')
  emoji
    .command('add <shortcode> <file>')
    .description('Add a custom emoji (PNG, GIF, WebP or JPEG below 256 KB), or give an existing one another picture.')
    .option('--category <category>', 'group in the emoji picker')
    .addHelpText('after', examples('emoji add blobcat blobcat.png --category blobs'))
    .action(async (shortcode, file, { category }) => {
      const bytes = readNamed(file)
      if (bytes.length >= limits.media.emojiBytes) throw new Error('The picture must be smaller than 256 KB.')
      const image = bytes.toString('base64')
      await run(async (operator) => {
        const made = await operator.call(createEmoji, { shortcode, image, category: category ?? null })
        return { data: made, text: `:${made.shortcode}: ${made.url}` }
      })()
    })
  for (const verb of ['enable', 'disable'] as const)
    emoji
      .command(`${verb} <shortcode>`)
      .description(verb === 'enable' ? 'Enable a disabled emoji.' : 'Disable an emoji, which hides it everywhere.')
      .action(
        run(async (operator, shortcode) => {
          const changed = await operator.call(updateEmoji, { shortcode, disabled: verb === 'disable' })
          return { data: changed, text: 'Done.' }
        }),
      )
  emoji
    .command('remove <shortcode>')
    .description('Remove a custom emoji.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, shortcode, flags) =>
        removeOrReport(
          flags,
          async () => {
            const emojis = await operator.call(listAllEmojis, {})
            return emojis.some((one) => one.shortcode === shortcode) ? `:${shortcode}:` : null
          },
          () => operator.call(removeEmoji, { shortcode }),
        ),
      ),
    )
}
