-- Satisfaction with the device, and how long it is worn.

-- A measure of which neither more nor less is better by itself.
alter table public.outcome_measures
  drop constraint outcome_measures_direction_check,
  add constraint outcome_measures_direction_check check (direction in ('higher', 'lower', 'none'));

-- QUEST 2.0 in its device subscale alone: the one on services is about the provider, and not about what was built.
insert into public.outcome_measures
  (position, abbreviation, name, construct, limb, ages, unit, minimum, maximum, is_open, decimals, direction,
    reference, reference_url)
values
  (27, 'QUEST 2.0', 'Quebec User Evaluation of Satisfaction with assistive Technology 2.0: device', 'Satisfaction with the device',
    'both', '{Adults}', 'points', 1, 5, false, 2, 'higher',
    'Demers L, Weiss-Lambrou R, Ska B. The Quebec User Evaluation of Satisfaction with Assistive Technology (QUEST 2.0): '
    'an overview and recent progress. Technol Disabil 2002;14(3):101-105',
    'https://doi.org/10.3233/TAD-2002-14304'),
  (28, 'Wearing time', 'Wearing time of the prosthesis on a usual day', 'How long the prosthesis is worn',
    'both', '{Children,Adults}', 'h/day', 0, 24, false, 1, 'none',
    'Chadwell A, Diment L, Micó-Amigo M et al. Technology for monitoring everyday prosthesis use: a systematic review. '
    'J Neuroeng Rehabil 2020;17:93',
    'https://doi.org/10.1186/s12984-020-00711-4');
