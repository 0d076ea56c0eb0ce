/** Commands that write announcements to everybody here. */
import {
  announcementCreate,
  announcementListAll,
  announcementRemove,
  announcementUpdate,
  type StoredAnnouncement,
} from '@murmuration/contracts/admin'
import { type Command, needed } from './command.js'

const line = (one: StoredAnnouncement): string => {
  const state = one.published_at ? 'published' : one.scheduled_at ? `from ${one.scheduled_at}` : 'not published'
  return `${one.id}  ${state}  ${one.text.replaceAll('\n', ' ').slice(0, 100)}`
}

export const announcementCommands: Command[] = [
  {
    name: 'announcement create',
    usage: 'announcement create TEXT [--at TIME] [--from TIME --to TIME]',
    about: 'announces something now or at a time; --from and --to say when it takes place, and it goes when that ended',
    async run(operator, [text], { at, from, to }) {
      const made = await operator.ask(announcementCreate, {
        text: needed(text, 'TEXT'),
        scheduled_at: at ?? null,
        starts_at: from ?? null,
        ends_at: to ?? null,
      })
      return { data: made, text: line(made) }
    },
  },
  {
    name: 'announcement list',
    usage: 'announcement list',
    about: 'all announcements, newest first',
    async run(operator) {
      const { announcements } = await operator.ask(announcementListAll, {})
      return { data: announcements, text: announcements.map(line).join('\n') || 'There are none.' }
    },
  },
  ...(['publish', 'unpublish'] as const).map(
    (verb): Command => ({
      name: `announcement ${verb}`,
      usage: `announcement ${verb} ID`,
      about: verb === 'publish' ? 'shows an announcement now' : 'takes an announcement back',
      async run(operator, [id]) {
        const input = { id: needed(id, 'ID'), published: verb === 'publish' }
        const changed = await operator.ask(announcementUpdate, input)
        return { data: changed, text: line(changed) }
      },
    }),
  ),
  {
    name: 'announcement remove',
    usage: 'announcement remove ID',
    about: 'removes an announcement with its reactions',
    async run(operator, [id]) {
      await operator.ask(announcementRemove, { id: needed(id, 'ID') })
      return { data: {}, text: 'Removed.' }
    },
  },
]
