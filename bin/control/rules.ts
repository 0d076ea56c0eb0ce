/** Commands about the rules of the server, which people agree to when they join and reports name. */
import { ruleCreate, ruleList, ruleRemove, ruleUpdate } from '@murmuration/contracts/admin'
import type { Rule } from '@murmuration/contracts/entities'
import { type Command, needed } from './command.js'

const line = (one: Rule): string => {
  const languages = Object.keys(one.translations).join(', ')
  return `${one.id}  ${one.text}${one.hint ? ` (${one.hint})` : ''}${languages ? `  [${languages}]` : ''}`
}

export const ruleCommands: Command[] = [
  {
    name: 'rule add',
    usage: 'rule add TEXT [--hint TEXT]',
    about: 'adds a rule after the others',
    async run(operator, [text], { hint }) {
      const made = await operator.ask(ruleCreate, { text: needed(text, 'TEXT'), ...(hint ? { hint } : {}) })
      return { data: made, text: line(made) }
    },
  },
  {
    name: 'rule list',
    usage: 'rule list',
    about: 'all rules, in their order, with the languages they are translated into',
    async run(operator) {
      const rules = await operator.ask(ruleList, {})
      return { data: rules, text: rules.map(line).join('\n') || 'There are none.' }
    },
  },
  {
    name: 'rule change',
    usage: 'rule change ID [TEXT] [--hint TEXT] [--priority N]',
    about: 'changes the words of a rule, or its place: lower numbers stand first',
    async run(operator, [id, text], { hint, priority }) {
      const changed = await operator.ask(ruleUpdate, {
        id: needed(id, 'ID'),
        text,
        hint,
        ...(priority === undefined ? {} : { priority: Number(priority) }),
      })
      return { data: changed, text: line(changed) }
    },
  },
  {
    name: 'rule translate',
    usage: 'rule translate ID LANGUAGE TEXT [--hint TEXT]',
    about: 'says a rule in another language (de)',
    async run(operator, [id, language, text], { hint }) {
      const old = (await operator.ask(ruleList, {})).find((one) => one.id === needed(id, 'ID'))
      if (!old) throw new Error(`There is no rule ${id}.`)
      const said = { text: needed(text, 'TEXT'), hint: hint ?? '' }
      const translations = { ...old.translations, [needed(language, 'LANGUAGE')]: said }
      const changed = await operator.ask(ruleUpdate, { id: old.id, translations })
      return { data: changed, text: line(changed) }
    },
  },
  {
    name: 'rule remove',
    usage: 'rule remove ID',
    about: 'removes a rule; existing reports keep their reference to it',
    async run(operator, [id]) {
      await operator.ask(ruleRemove, { id: needed(id, 'ID') })
      return { data: {}, text: 'Removed.' }
    },
  },
]
