/** Names of this module that other modules use. */
export { favourite, unfavourite } from './favourite.js'
export { favouriteByUri, renameFavourite, uriOfFavourite } from './store.js'
