/** Version of Murmuration. Written by `npm run gen` from the root package.json. */
export const VERSION = '4.6.0'
