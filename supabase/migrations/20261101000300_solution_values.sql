-- What a solution is described with: the value lists and the outcome measures.

-- The value lists of the specification, each in one place: constraints and facet counts read them here.
create function private.amputation_levels() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Transradial (Below Elbow)', 'Transtibial (Below Knee)', 'Transfemoral (Above Knee)', 'Transhumeral (Above Elbow)',
  'Partial Foot', 'Full Limb'];

create function private.occupations() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Grasping & Gripping', 'Fine Motor Tasks', 'Walking', 'Running', 'Climbing Stairs', 'Weight-Bearing Activities',
  'Writing & Drawing', 'Typing', 'Playing Instruments', 'Sports & Athletics', 'Daily Living Activities', 'Heavy Lifting',
  'Precision Work', 'Balance & Stability'];

create function private.materials() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Carbon Fiber', 'Silicone', 'Titanium', '3D-Printed PLA', 'Gel Liners', 'Custom Alloys', 'Thermoplastic', 'Aluminum'];

create function private.prosthesis_types() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Myoelectric', 'Body-Powered', 'Passive', 'Hybrid', 'Osseointegrated'];

create function private.age_groups() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Children', 'Adults'];

create function private.cost_ranges() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Low-cost (<$500)', 'Mid-range ($500-$5000)', 'High-end (>$5000)'];

/* Tags as the form keeps them: trimmed, without empty ones or duplicates. In a loop, because a query costs more than the few
   tags, and each change of a solution's counts tests them. */
create function private.are_tags(tags text[]) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  tag text;
  seen text[] := '{}';
begin
  if cardinality(tags) > 20 then
    return false;
  end if;
  foreach tag in array tags loop
    if tag <> btrim(tag) or char_length(tag) > 40 or private.is_blank(tag) or tag = any (seen) then
      return false;
    end if;
    seen := seen || tag;
  end loop;
  return true;
end
$$;

/*
 * The fields of a form that are known, if each is of the kind that its column holds: a text, a number, or a list of texts;
 * null is any of them. A cast would refuse the rest with words about the database, or store an object as the text of its JSON.
 */
create function private.form_of(form jsonb, texts text[], lists text[] default '{}', numbers text[] default '{}') returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  field record;
  fields jsonb := '{}';
begin
  if jsonb_typeof(form) is distinct from 'object' then
    raise check_violation using message = 'A form must be an object with a value for each field';
  end if;
  for field in
    select f.key, f.value, jsonb_typeof(f.value) as kind,
      case
        when f.key = any (texts) then 'string'
        when f.key = any (numbers) then 'number'
        when f.key = any (lists) then 'array'
      end as wanted
    from jsonb_each(form) as f
  loop
    continue when field.wanted is null;
    if field.kind <> 'null' and field.kind <> field.wanted
      or field.kind = 'array' and jsonb_path_exists(field.value, 'strict $[*] ? (@.type() != "string")')
    then
      raise check_violation using message = format('The field “%s” must be %s', field.key,
        case field.wanted when 'string' then 'a text' when 'number' then 'a number' else 'a list of texts' end);
    end if;
    fields := fields || jsonb_build_object(field.key, field.value);
  end loop;
  return fields;
end
$$;

/* A list of objects; null is an empty one. */
create function private.list_of(value jsonb, refusal text) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  value := coalesce(nullif(value, 'null'), '[]');
  if jsonb_typeof(value) <> 'array' or jsonb_path_exists(value, 'strict $[*] ? (@.type() != "object")') then
    raise check_violation using message = refusal;
  end if;
  return value;
end
$$;

/* The media of a form as a list; null is an empty one. */
create function private.media_of(media jsonb) returns jsonb
language sql immutable set search_path = ''
return coalesce((
  select jsonb_agg(private.form_of(item.value, array['media_url', 'description']) order by item.ordinality)
  from jsonb_array_elements(private.list_of(media, 'Media must be a file you have uploaded')) with ordinality as item
), '[]');

/*
 * What search looks in. Of a level only its name: with "(Below Knee)" each of its solutions would be found by "knee", and
 * search knows "below knee" for its synonym.
 */
create function private.search_text(
  title text, description text, occupation text, materials text[], custom_tags text[],
  amputation_level text, prosthesis_type text, age_group text, author_names text
) returns text
language sql immutable parallel safe set search_path = ''
return private.normalized(
  title || E'\n' || description || E'\n' || coalesce(occupation, '')
  || E'\n' || regexp_replace(amputation_level, ' [(].*', '') || E'\n' || prosthesis_type || E'\n' || age_group || E'\n' || author_names
  -- array_to_string is only stable, because some types' output depends on settings; that of text does not.
  || E'\n' || replace(replace(replace(materials::text, '","', E'\n'), '{', ''), '}', '')
  || E'\n' || replace(replace(replace(custom_tags::text, '","', E'\n'), '{', ''), '}', '')
);

grant execute on function
  private.amputation_levels(), private.occupations(), private.materials(), private.prosthesis_types(), private.age_groups(),
  private.cost_ranges(), private.are_tags(text[]), private.form_of(jsonb, text[], text[], text[]), private.list_of(jsonb, text),
  private.media_of(jsonb), private.search_text(text, text, text, text[], text[], text, text, text, text)
  to anon, authenticated, service_role;

-- The catalogue of outcome measures: published facts alone, and never an item of a questionnaire. docs/evidence.md says what
-- they mean and what they do not. A number that no source gives for people with limb loss is null.
create table public.outcome_measures (
  abbreviation text primary key,
  -- Its place in lists.
  position smallint not null unique,
  name text not null,
  -- What it measures.
  construct text not null,
  limb text not null check (limb in ('lower', 'upper', 'both')),
  ages text[] not null,
  unit text not null,
  minimum numeric not null,
  maximum numeric not null,
  -- A scale without ends of its own: `minimum` and `maximum` are then only what is accepted.
  is_open boolean not null default false,
  -- Of one person's score; the mean of several people has one more.
  decimals smallint not null,
  -- Which scores are better.
  direction text not null check (direction in ('higher', 'lower')),
  reference text not null,
  reference_url text not null,
  -- The smallest change that is more than measurement error in one person: its kind (MDC where the source gives no level of
  -- confidence), in whom it was found and where that is published.
  error_size numeric,
  error_kind text,
  error_population text,
  error_reference text,
  error_url text,
  constraint "A measurement error needs its source" check (
    num_nulls(error_size, error_kind, error_population, error_reference, error_url) in (0, 5)
  )
);

comment on table public.outcome_measures is
  'The standard measures in which outcomes can be given, each with its range, direction, published measurement error and reference.';

alter table public.outcome_measures enable row level security;

create policy "Everybody can read the catalogue of measures" on public.outcome_measures for select using (true);

grant select on public.outcome_measures to anon, authenticated;
-- Changed by migrations alone.
revoke insert, update, delete on public.outcome_measures from service_role;

insert into public.outcome_measures
  (position, abbreviation, name, construct, limb, ages, unit, minimum, maximum, is_open, decimals, direction,
    reference, reference_url,
    error_size, error_kind, error_population, error_reference, error_url)
values
  (1, 'AMPPRO', 'Amputee Mobility Predictor with prosthesis', 'Mobility with the prosthesis',
    'lower', '{Adults}', 'points', 0, 47, false, 0, 'higher',
    'Gailey RS, Roach KE, Applegate EB et al. The Amputee Mobility Predictor: '
    'an instrument to assess determinants of the lower-limb amputee ability to ambulate. Arch Phys Med Rehabil 2002;83(5):613-627',
    'https://doi.org/10.1053/apmr.2002.32309',
    3.4, 'MDC90', 'adults with unilateral lower limb amputation',
    'Resnik L, Borgia M. Reliability of outcome measures for people with lower-limb amputations: '
    'distinguishing true change from statistical error. Phys Ther 2011;91(4):555-565',
    'https://doi.org/10.2522/ptj.20100287'),
  (2, 'AMPnoPRO', 'Amputee Mobility Predictor without prosthesis', 'Mobility without the prosthesis',
    'lower', '{Adults}', 'points', 0, 43, false, 0, 'higher',
    'Gailey RS, Roach KE, Applegate EB et al. The Amputee Mobility Predictor: '
    'an instrument to assess determinants of the lower-limb amputee ability to ambulate. Arch Phys Med Rehabil 2002;83(5):613-627',
    'https://doi.org/10.1053/apmr.2002.32309',
    null, null, null, null, null),
  (3, 'TUG', 'Timed Up and Go', 'Basic mobility', 'lower', '{Adults}', 's', 0, 600, true, 1, 'lower',
    'Schoppen T, Boonstra A, Groothoff JW et al. The Timed "up and go" test: '
    'reliability and validity in persons with unilateral lower limb amputation. Arch Phys Med Rehabil 1999;80(7):825-828',
    'https://doi.org/10.1016/S0003-9993(99)90234-4',
    3.6, 'MDC90', 'adults with unilateral lower limb amputation',
    'Resnik L, Borgia M. Reliability of outcome measures for people with lower-limb amputations: '
    'distinguishing true change from statistical error. Phys Ther 2011;91(4):555-565',
    'https://doi.org/10.2522/ptj.20100287'),
  (4, 'L-Test', 'L-Test of functional mobility', 'Basic mobility', 'lower', '{Adults}', 's', 0, 600, true, 1, 'lower',
    'Deathe AB, Miller WC. The L Test of functional mobility: measurement properties of a modified version of the Timed "Up & Go" Test '
    'designed for people with lower-limb amputations. Phys Ther 2005;85(7):626-635',
    'https://doi.org/10.1093/ptj/85.7.626',
    null, null, null, null, null),
  (5, '10mWT', '10-metre Walk Test', 'Walking speed', 'lower', '{Adults}', 'm/s', 0, 5, true, 2, 'higher',
    'Assessing walking speed in persons with a lower-limb amputation: test-retest reliability of the 10-m walk test. '
    'Prosthet Orthot Int 2025',
    'https://doi.org/10.1097/PXR.0000000000000419',
    null, null, null, null, null),
  (6, '2MWT', '2-minute Walk Test', 'Walking distance', 'lower', '{Adults}', 'm', 0, 500, true, 1, 'higher',
    'Gaunaurd I, Kristal A, Horn A et al. The utility of the 2-minute walk test as a measure of mobility in people with lower limb '
    'amputation. Arch Phys Med Rehabil 2020;101(7):1183-1189',
    'https://doi.org/10.1016/j.apmr.2020.03.007',
    34.3, 'MDC90', 'adults with unilateral lower limb amputation',
    'Resnik L, Borgia M. Reliability of outcome measures for people with lower-limb amputations: '
    'distinguishing true change from statistical error. Phys Ther 2011;91(4):555-565',
    'https://doi.org/10.2522/ptj.20100287'),
  (7, '6MWT', '6-minute Walk Test', 'Walking distance', 'lower', '{Adults}', 'm', 0, 1500, true, 1, 'higher',
    'Reid L, Thomson P, Besemann M, Dudek N. Going places: does the two-minute walk test predict the six-minute walk test in lower '
    'extremity amputees? J Rehabil Med 2015;47(3):256-261',
    'https://doi.org/10.2340/16501977-1916',
    45, 'MDC90', 'adults with unilateral lower limb amputation',
    'Resnik L, Borgia M. Reliability of outcome measures for people with lower-limb amputations: '
    'distinguishing true change from statistical error. Phys Ther 2011;91(4):555-565',
    'https://doi.org/10.2522/ptj.20100287'),
  (8, 'CHAMP', 'Comprehensive High-Level Activity Mobility Predictor', 'High-level mobility',
    'lower', '{Adults}', 'points', 0, 40, false, 1, 'higher',
    'Gailey RS, Gaunaurd IA, Raya MA et al. Development and reliability testing of the Comprehensive High-Level Activity Mobility '
    'Predictor (CHAMP) in male servicemembers with traumatic lower-limb loss. J Rehabil Res Dev 2013;50(7):905-918',
    'https://www.rehab.research.va.gov/jour/2013/507/absjrrd-2012-05-0099.html',
    null, null, null, null, null),
  (9, 'PLUS-M', 'Prosthetic Limb Users Survey of Mobility', 'Mobility as the wearer reports it',
    'lower', '{Adults}', 'T-score', 10, 90, true, 1, 'higher',
    'Hafner BJ, Gaunaurd IA, Morgan SJ et al. Construct validity of the Prosthetic Limb Users Survey of Mobility (PLUS-M) in adults with '
    'lower limb amputation. Arch Phys Med Rehabil 2017;98(2):277-285',
    'https://doi.org/10.1016/j.apmr.2016.07.026',
    4.5, 'MDC90', 'adults who use a lower limb prosthesis',
    'Hafner BJ, Morgan SJ, Askew RL, Salem R. Psychometric evaluation of self-report outcome measures for prosthetic applications. '
    'J Rehabil Res Dev 2016;53(6):797-812',
    'https://pmc.ncbi.nlm.nih.gov/articles/PMC5345485'),
  (10, 'SCS', 'Socket Comfort Score', 'Comfort of the socket', 'lower', '{Adults}', 'points', 0, 10, false, 0, 'higher',
    'Hanspal RS, Fisher K, Nieveen R. Prosthetic socket fit comfort score. Disabil Rehabil 2003;25(22):1278-1280',
    'https://doi.org/10.1080/09638280310001603983',
    2.73, 'MDC90', 'adults who use a lower limb prosthesis',
    'Hafner BJ, Morgan SJ, Askew RL, Salem R. Psychometric evaluation of self-report outcome measures for prosthetic applications. '
    'J Rehabil Res Dev 2016;53(6):797-812',
    'https://pmc.ncbi.nlm.nih.gov/articles/PMC5345485'),
  (11, 'PEQ-RL', 'Prosthesis Evaluation Questionnaire: Residual Limb Health', 'Residual limb health',
    'lower', '{Adults}', 'points', 0, 100, false, 1, 'higher',
    'Legro MW, Reiber GE, Smith DG et al. Prosthesis Evaluation Questionnaire for persons with lower limb amputations. '
    'Arch Phys Med Rehabil 1998;79(8):931-938',
    'https://doi.org/10.1016/S0003-9993(98)90090-9',
    null, null, null, null, null),
  (12, 'PEQ-UT', 'Prosthesis Evaluation Questionnaire: Utility', 'Usefulness of the prosthesis',
    'lower', '{Adults}', 'points', 0, 100, false, 1, 'higher',
    'Legro MW, Reiber GE, Smith DG et al. Prosthesis Evaluation Questionnaire for persons with lower limb amputations. '
    'Arch Phys Med Rehabil 1998;79(8):931-938',
    'https://doi.org/10.1016/S0003-9993(98)90090-9',
    null, null, null, null, null),
  (13, 'TAPES-R PA', 'Trinity Amputation and Prosthesis Experience Scales, revised: Psychosocial Adjustment',
    'Adjustment to amputation and prosthesis', 'lower', '{Adults}', 'points', 1, 4, false, 2, 'higher',
    'Gallagher P, Franchignoni F, Giordano A, MacLachlan M. Trinity Amputation and Prosthesis Experience Scales: '
    'a psychometric assessment using classical test theory and Rasch analysis. Am J Phys Med Rehabil 2010;89(6):487-496',
    'https://psychoprosthetics.ie/tapes-r/',
    null, null, null, null, null),
  (14, 'TAPES-R AR', 'Trinity Amputation and Prosthesis Experience Scales, revised: Activity Restriction', 'Restriction of activities',
    'lower', '{Adults}', 'points', 0, 20, false, 0, 'lower',
    'Gallagher P, Franchignoni F, Giordano A, MacLachlan M. Trinity Amputation and Prosthesis Experience Scales: '
    'a psychometric assessment using classical test theory and Rasch analysis. Am J Phys Med Rehabil 2010;89(6):487-496',
    'https://psychoprosthetics.ie/tapes-r/',
    null, null, null, null, null),
  (15, 'TAPES-R SAT', 'Trinity Amputation and Prosthesis Experience Scales, revised: Satisfaction', 'Satisfaction with the prosthesis',
    'lower', '{Adults}', 'points', 1, 3, false, 2, 'higher',
    'Gallagher P, Franchignoni F, Giordano A, MacLachlan M. Trinity Amputation and Prosthesis Experience Scales: '
    'a psychometric assessment using classical test theory and Rasch analysis. Am J Phys Med Rehabil 2010;89(6):487-496',
    'https://psychoprosthetics.ie/tapes-r/',
    null, null, null, null, null),
  (16, 'PSFS', 'Patient-Specific Functional Scale', 'Activities that the wearer names',
    'both', '{Adults}', 'points', 0, 10, false, 1, 'higher',
    'Stratford P, Gill C, Westaway M, Binkley J. Assessing disability and change on individual patients: '
    'a report of a patient specific measure. Physiother Can 1995;47(4):258-263',
    'https://doi.org/10.3138/ptc.47.4.258',
    null, null, null, null, null),
  (17, 'EQ-5D-5L', 'EQ-5D-5L index', 'Health-related quality of life', 'both', '{Adults}', 'index', -1, 1, false, 3, 'higher',
    'Herdman M, Gudex C, Lloyd A et al. Development and preliminary testing of the new five-level version of EQ-5D (EQ-5D-5L). '
    'Qual Life Res 2011;20:1727-1736',
    'https://doi.org/10.1007/s11136-011-9903-x',
    null, null, null, null, null),
  (18, 'EQ VAS', 'EQ visual analogue scale', 'Health as the wearer rates it', 'both', '{Adults}', 'points', 0, 100, false, 0, 'higher',
    'Herdman M, Gudex C, Lloyd A et al. Development and preliminary testing of the new five-level version of EQ-5D (EQ-5D-5L). '
    'Qual Life Res 2011;20:1727-1736',
    'https://doi.org/10.1007/s11136-011-9903-x',
    null, null, null, null, null),
  (19, 'BBT', 'Box and Block Test', 'Gross manual dexterity', 'upper', '{Children,Adults}', 'blocks/min', 0, 150, true, 0, 'higher',
    'Mathiowetz V, Volland G, Kashman N, Weber K. Adult norms for the Box and Block Test of manual dexterity. '
    'Am J Occup Ther 1985;39(6):386-391. Norms for ages 6 to 19: Mathiowetz V, Federman S, Wiemer D. Can J Occup Ther 1985;52(5):241-245',
    'https://doi.org/10.5014/ajot.39.6.386',
    6.5, 'MDC', 'adults with upper limb amputation, on a modified version of the test',
    'Resnik L, Borgia M. Reliability and validity of outcome measures for upper limb amputation. J Prosthet Orthot 2012;24(4):192-201',
    'https://www.scilit.net/publications/c7a30399e960fd12ef10ab1806b01ebc'),
  (20, 'SHAP', 'Southampton Hand Assessment Procedure: Index of Function', 'Hand function',
    'upper', '{Adults}', 'points', 0, 100, false, 0, 'higher',
    'Light CM, Chappell PH, Kyberd PJ. Establishing a standardized clinical assessment tool of pathologic and prosthetic hand function: '
    'normative data, reliability, and validity. Arch Phys Med Rehabil 2002;83(6):776-783',
    'https://doi.org/10.1053/apmr.2002.32737',
    null, null, null, null, null),
  (21, 'ACMC', 'Assessment of Capacity for Myoelectric Control', 'Control of a myoelectric hand',
    'upper', '{Children,Adults}', 'units', 0, 100, false, 1, 'higher',
    'Hermansson LM, Fisher AG, Bernspång B, Eliasson AC. Assessment of Capacity for Myoelectric Control: '
    'a new Rasch-built measure of prosthetic hand control. J Rehabil Med 2005;37(3):166-171',
    'https://doi.org/10.1080/16501970410024280',
    null, null, null, null, null),
  (22, 'OPUS-UEFS', 'Orthotics and Prosthetics Users Survey: Upper Extremity Functional Status', 'Everyday tasks with the upper limb',
    'upper', '{Adults}', 'points', 0, 100, false, 1, 'higher',
    'Heinemann AW, Bode RK, O''Reilly C. Development and measurement properties of the Orthotics and Prosthetics Users'' Survey (OPUS): '
    'a comprehensive set of clinical outcome instruments. Prosthet Orthot Int 2003;27(3):191-206',
    'https://doi.org/10.1080/03093640308726682',
    null, null, null, null, null),
  (23, 'DASH', 'Disabilities of the Arm, Shoulder and Hand', 'Upper limb disability',
    'upper', '{Adults}', 'points', 0, 100, false, 1, 'lower',
    'Hudak PL, Amadio PC, Bombardier C. Development of an upper extremity outcome measure: '
    'the DASH (disabilities of the arm, shoulder and hand). Am J Ind Med 1996;29(6):602-608',
    'https://doi.org/10.1002/(SICI)1097-0274(199606)29:6%3C602::AID-AJIM4%3E3.0.CO;2-L',
    null, null, null, null, null),
  (24, 'QuickDASH', 'Quick Disabilities of the Arm, Shoulder and Hand', 'Upper limb disability',
    'upper', '{Adults}', 'points', 0, 100, false, 1, 'lower',
    'Beaton DE, Wright JG, Katz JN. Development of the QuickDASH: comparison of three item-reduction approaches. '
    'J Bone Joint Surg Am 2005;87(5):1038-1046',
    'https://doi.org/10.2106/JBJS.D.02060',
    null, null, null, null, null),
  (25, 'PUFI', 'Prosthetic Upper Extremity Functional Index: ease of performance with the prosthesis',
    'A child''s ease in activities with the prosthesis', 'upper', '{Children}', 'points', 0, 100, false, 1, 'higher',
    'Wright FV, Hubbard S, Jutai J, Naumann S. The Prosthetic Upper Extremity Functional Index: development and reliability testing. '
    'J Hand Ther 2001;14(2):91-104. Sum score 0 to 100: van Dijk-Koot CA et al. J Prosthet Orthot 2009;21(2):110-114',
    'https://doi.org/10.1016/S0894-1130(01)80039-9',
    null, null, null, null, null),
  (26, 'AHA', 'Assisting Hand Assessment', 'How a child uses the affected hand in two-handed play',
    'upper', '{Children}', 'units', 0, 100, false, 0, 'higher',
    'Buffart LM, Roebroeck ME, van Heijningen VG et al. Evaluation of arm and prosthetic functioning in children with a congenital '
    'transverse reduction deficiency of the upper limb. J Rehabil Med 2007;39(5):379-386. Units 0 to 100: Krumlinde-Sundholm L. '
    'Dev Med Child Neurol 2012;54(9):807-808',
    'https://doi.org/10.2340/16501977-0068',
    null, null, null, null, null);

-- Who may read a published solution is decided here, and nowhere else: policies, searches, counts, files and mail ask these
-- functions.
