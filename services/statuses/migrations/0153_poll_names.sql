-- expand: options of polls of other servers as these wrote them, because votes go by the letter; old code shows and sends the titles
alter table polls add column names text[];
