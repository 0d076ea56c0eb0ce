/** Names of the arguments of a message, for checks of the catalogue. */
import { IntlMessageFormat } from 'intl-messageformat'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

const namesIn = (elements: readonly Element[]): string[] =>
  elements.flatMap((element) => {
    // Literals have no argument, and `#` stands for the argument of the surrounding plural.
    if (element.type === 0 || element.type === 7) return []
    if (element.type === 8) return namesIn(element.children)
    const own = [element.value]
    return 'options' in element
      ? [...own, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
      : own
  })

/** Sorted names of the arguments of a message. Throws if the text is not a valid ICU message. */
export const argumentsOf = (text: string): string[] =>
  [...new Set(namesIn(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()))].toSorted()
