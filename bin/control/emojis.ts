/** Commands that keep the custom emoji of the server. */
import { emojiCreate, emojiRemove, emojiUpdate } from '@murmuration/contracts/media'
import { type Command, needed } from './command.js'
import { readNamed } from './named-file.js'

export const emojiCommands: Command[] = [
  {
    name: 'emoji add',
    usage: 'emoji add SHORTCODE FILE [--category C]',
    about: 'adds a custom emoji (PNG, GIF, WebP or JPEG up to 256 kB), or gives one another picture',
    async run(operator, [shortcode, file], { category }) {
      const image = readNamed(needed(file, 'FILE')).toString('base64')
      const made = await operator.ask(emojiCreate, {
        shortcode: needed(shortcode, 'SHORTCODE'),
        image,
        category: category ?? null,
      })
      return { data: made, text: `:${made.shortcode}: ${made.url}` }
    },
  },
  ...(['enable', 'disable'] as const).map(
    (verb): Command => ({
      name: `emoji ${verb}`,
      usage: `emoji ${verb} SHORTCODE`,
      about: verb === 'enable' ? 'lets people use an emoji again' : 'takes an emoji out of use',
      async run(operator, [shortcode]) {
        const input = { shortcode: needed(shortcode, 'SHORTCODE'), disabled: verb === 'disable' }
        return { data: await operator.ask(emojiUpdate, input), text: 'Done.' }
      },
    }),
  ),
  {
    name: 'emoji remove',
    usage: 'emoji remove SHORTCODE',
    about: 'removes a custom emoji',
    async run(operator, [shortcode]) {
      await operator.ask(emojiRemove, { shortcode: needed(shortcode, 'SHORTCODE') })
      return { data: {}, text: 'Removed.' }
    },
  },
]
