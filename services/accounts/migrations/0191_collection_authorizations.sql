-- expand: where somebody elsewhere says that they agree to be in a collection; people here say it at an address made from the item
alter table collection_items add column authorization_uri text;
