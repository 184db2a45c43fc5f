-- Parts, found by maker and number however they are written.

/*
 * What a part is known by: letters and digits of maker and number, without the spaces and signs between them, in lower case and without
 * accents; "Otto Bock 4R54", "ottobock 4-r-54", the digits of most scripts, and Cyrillic or Greek letters that look like Latin ones are
 * one. Null where there is neither letter nor digit.
 * The signs are listed instead of testing which characters are letters, because that depends on the database's locale.
 */
create function private.part_key(maker text, number text) returns text
language sql immutable parallel safe set search_path = ''
return nullif(left(regexp_replace(
  translate(private.normalized(translate(
    -- More than a part may have, and no more, so that no text takes long.
    normalize(left(coalesce(maker, ''), 200) || left(coalesce(number, ''), 200), NFKC),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹߀߁߂߃߄߅߆߇߈߉०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯'
      '෦෧෨෩෪෫෬෭෮෯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩၀၁၂၃၄၅၆၇၈၉႐႑႒႓႔႕႖႗႘႙០១២៣៤៥៦៧៨៩᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙᥆᥇᥈᥉᥊᥋᥌᥍᥎᥏᧐᧑᧒᧓᧔᧕᧖᧗᧘᧙᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉᪐᪑᪒᪓᪔᪕᪖᪗᪘᪙'
      '᭐᭑᭒᭓᭔᭕᭖᭗᭘᭙᮰᮱᮲᮳᮴᮵᮶᮷᮸᮹᱀᱁᱂᱃᱄᱅᱆᱇᱈᱉᱐᱑᱒᱓᱔᱕᱖᱗᱘᱙꘠꘡꘢꘣꘤꘥꘦꘧꘨꘩꣐꣑꣒꣓꣔꣕꣖꣗꣘꣙꤀꤁꤂꤃꤄꤅꤆꤇꤈꤉꧐꧑꧒꧓꧔꧕꧖꧗꧘꧙꧰꧱꧲꧳꧴꧵꧶꧷꧸꧹꩐꩑꩒꩓꩔꩕꩖꩗꩘꩙꯰꯱꯲꯳꯴꯵꯶꯷꯸꯹',
    repeat('0123456789', 35)
  )), 'авекмнорстухαβεζηικμνορτυχ', 'abekmhopctyxabezhikmnoptyx'),
  '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u02B0-\u036F\u1680\u180B-\u180E\u2000-\u206F\u2190-\u23FF'
    '\u2500-\u27BF\u3000-\u3003\u3008-\u3020\u30FB\uFE00-\uFE0F\uFEFF]+', '', 'g'
), 200), '');

grant execute on function private.part_key(text, text) to anon, authenticated, service_role;

-- By both, as a notice names them, and by its number alone, as readers search.
create index solution_parts_key_idx on public.solution_parts (private.part_key(maker, part_number)) where part_number is not null;
create index solution_parts_number_idx on public.solution_parts (private.part_key(null, part_number)) where part_number is not null;

/* The set of approved solutions with the part that a text names, by its number or by maker and number; null for none. */
create function private.part_bitmap(named text) returns bit varying
language sql stable set search_path = ''
return (
  with found as (
    select s.number / 32000 as chunk, bit_or(set_bit(0::bit(32000), s.number % 32000, 1)) as bits
    from public.solution_parts p join public.solutions s on s.id = p.solution_id
    where s.status = 'approved' and p.part_number is not null
      and (private.part_key(p.maker, p.part_number) = private.part_key(null, named)
        or private.part_key(null, p.part_number) = private.part_key(null, named))
    group by 1
  )
  select private.bit_concat_agg(coalesce(f.bits, 0::bit(32000))::bit varying order by n)
  from generate_series(0, private.chunk_count() - 1) as c (n) left join found f on f.chunk = c.n
  where exists (select from found)
);

alter function private.parse_search(text) rename to parse_words;

/* As private.parse_words. A search that is a part, by its number or by maker and number, also finds the solutions with that part, before
   all that is found through a correction: none is needed then. */
create function private.parse_search(
  search text, out exact bit varying, out wide bit varying, out corrected text, out suggested text, out marks text[], out partial boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  readable constant bit varying := private.readable_bitmap();
  parts bit varying := private.part_bitmap(left(search, 200));
begin
  select w.* into exact, wide, corrected, suggested, marks, partial from private.parse_words(search) w;
  parts := parts & coalesce(readable, parts);
  if bit_count(parts) > 0 then
    exact := exact | parts;
    wide := case when corrected is null then wide | parts else exact end;
    corrected := null;
    suggested := null;
  end if;
end
$$;
