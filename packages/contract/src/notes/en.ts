/**
 * What a person should know about a result or an imported model, by its code. `{name}` is a place for a value. The
 * engine writes these sentences, and a stored one is found again by them: a template that fits what another one
 * makes, too, stands behind it.
 */
export const notesEn = {
  DEPTH_COMPUTED:
    'The photo has 8 bits for each colour; the finer steps in the 16 of the result are computed, not photographed.',
  DEPTH_REDUCED: '{format} holds {max} bits for each colour; {bits} were there.',
  DEPTH_NOT_HELD: '{format} holds {max} bits for each colour; {bits} were asked for.',
  JXL_COLOURS:
    'JPEG XL with loss keeps colours as they look: programs may read them in another profile. Quality 100 keeps every number and the profile.',
  GIF_COLOURS:
    'GIF holds 256 colours in each frame, and pixels that are wholly transparent or not at all. WebP and PNG hold all.',
  TIFF_INSTEAD: '{objection}, so it was written as TIFF.',
  TRANSPARENCY_FILLED: 'JPEG holds no transparency; white stands behind the picture.',
  LOSSY_SOURCE:
    'It was made from the {format} result, which had lost a little of the detail. Run the task again in this format for all of it.',
  NOT_SAVED_OVER:
    'It was not saved into {folder}: a file of its name is there, and onConflict is skip.',

  FRAMES_ENLARGED: 'All {frames} frames were enlarged, and each is shown as long as before.',
  FRAMES_NOT_HELD: '{format} holds no animation; WebP, PNG and GIF do.',
  FRAMES_TOO_LARGE:
    "The result's {frames} frames would have too many pixels together; choose a smaller scale.",
  FRAMES_LIMIT:
    'Animations are enlarged whole up to {frames} frames of {megapixels} megapixels each, and together of as many pixels as a photo may have.',
  FRAMES_STILL: 'It is an animation: the result does not move.',
  FRAMES_CUT_OUT:
    'A cut-out is a still picture: the background was removed from the first of the {frames} frames.',
  GIF_WITHOUT_END: 'The GIF has no end marker: all {frames} frames that are there were read.',
  PAGE_TAKEN: 'Page {page} of {pages} was taken; those before it are its previews.',
  PICTURE_TAKEN: 'Picture {page} of {pages} was taken, which the file names first.',
  FIRST_TAKEN: 'The first of {pages} pictures in the file was taken.',
  FILE_REPAIRED:
    'The file breaks the rules of its format ({faults}), but its picture is whole: all of it was read.',

  HDR_KEPT: 'It is an HDR photo (PQ or HLG): the AVIF holds its brightness as it is, by nclx.',
  HDR_MAPPED:
    'Its HDR brightness ({curve}, {where}) was mapped to that of an ordinary screen, by ITU-R BT.2390.',
  COLOURS_KEPT: 'The PNG says its colours by cICP or gAMA, and so does the result.',
  COLOURS_DECLARED: 'Its colours are {colours} ({where}); the result says so by a profile.',
  LINEAR_ENCODED: 'Its linear light ({where}) was encoded by the curve of sRGB.',
  GAMMA_DECLARED: 'Its numbers are encoded with {curve} (gAMA); the result says so by a profile.',
  FLOATS_ENCODED:
    'Its floating-point numbers were taken for linear light, and encoded by the curve of sRGB.',
  FLOATS_ENCODED_TO:
    'Its floating-point numbers were taken for linear light up to {white}, which became white, and encoded by the curve of sRGB.',
  RAW_DEVELOPED:
    "It was developed with the camera's white balance in the ProPhoto gamut: developed in sRGB it would lose its strongest colours.",
  COLOURS_CONVERTED: 'Its colours were converted from {space} to sRGB.',
  ALPHA_DIVIDED: 'Its colours were multiplied with its transparency; those of the result are not.',
  CHANNEL_DROPPED: 'A further channel of the TIFF (saved selections, say) was left out.',
  CHANNELS_DROPPED: '{count} further channels of the TIFF (saved selections, say) were left out.',
  GAIN_MAP_ENLARGED: 'It is an HDR photo: its gain map was enlarged with it (Ultra HDR).',
  GAIN_MAP_NOT_HELD:
    'It is an HDR photo with a gain map (Ultra HDR, say): the result is its base picture, without the map, which only a JPEG keeps.',
  GAIN_MAP_UNREADABLE:
    'It is an HDR photo with a gain map (Ultra HDR, say): the result is its base picture, without the map, which could not be read.',
  GAIN_MAP_DROPPED:
    'It is an HDR photo with a gain map (Ultra HDR, say): the result is its base picture, without the map.',

  MAKER_NOTES_TOO_FAR:
    "The maker's own notes in the EXIF were left out: a TIFF of more than 4 GB cannot hold them where they would lie.",
  MAKER_NOTES_DROPPED:
    "The maker's own notes in the EXIF were left out: {format} cannot hold them where they would lie.",
  EXIF_TOO_LONG_MORE: 'Of the EXIF {names} and {count} more was left out: it holds 65 kB.',
  EXIF_TOO_LONG: 'Of the EXIF {names} was left out: it holds 65 kB.',
  EXIF_NOT_HELD: 'The EXIF was left out: {format} holds XMP only.',
  IPTC_NOT_HELD: 'The IPTC was left out: {format} holds EXIF and XMP.',
  IPTC_NOT_HELD_XMP: 'The IPTC was left out: {format} holds XMP only.',
  XMP_UNREADABLE: 'Its XMP could not be read, so it was left out.',
  PNG_TEXT_NOT_HELD: 'The text of the PNG was left out: {format} has no place for it.',
  COMMENT_NOT_HELD: "The JPEG's comment was left out: {format} has no place for it.",
  GREY_NOT_HELD: '{format} holds no grey, so its profile was applied.',
  DEPTH_TOO_SMALL:
    '{format} holds 8 bits, too few for its colours as they are: they were converted to sRGB.',
  PROFILE_NOT_HELD: '{format} holds no profile: its colours were converted to sRGB.',
  FILM_DROPPED: 'Its film (a motion photo) was left out.',
  DEPTH_MAP_DROPPED: 'Its depth map was left out.',
  CANON_RECIPE_DROPPED:
    "The editing recipe of Canon's software (VRD) was left out: it was made for the old picture.",
  PHOTO_MECHANIC_DROPPED: 'What Photo Mechanic appended to the file was left out.',
  FOTOSTATION_DROPPED: 'What FotoStation appended to the file was left out.',
  AFCP_DROPPED: 'What an archive program appended to the file (AFCP) was left out.',
  SAMSUNG_DROPPED:
    "What Samsung's camera appended to the file (depth, or how to edit it again) was left out.",
  CREDENTIALS_DROPPED:
    'Its Content Credentials (C2PA) were left out: they are signed for the original file.',
  GEOTIFF_DROPPED: 'Its place on a map (GeoTIFF) was left out: it holds for the old pixels only.',
  LAYERS_DROPPED:
    'Its Photoshop layers were left out: the picture that the file shows without them was enlarged.',

  REDUCED_PLAINLY: 'The result is smaller than the photo, so it was reduced without a model.',
  ENLARGED_PLAINLY: 'The amount is 0, so the photo was enlarged by interpolation, without a model.',
  NO_NETWORK_RAN: 'Nothing was to be enlarged or cleaned, so no network ran.',
  RESTORE_UNUSED:
    '{model} cannot be told how much to take off, so restore {amount} changed nothing.',
  NOT_FAITHFUL:
    'It could not be brought to within {levels} level of the photo everywhere: after {rounds} corrections it differs by {largest} at most, {percent} % of it by over 2.',
  COMPARED_BEFORE: 'How much the network changed the photo was measured before {steps}.',
  HELD_BEFORE:
    'It was held to the photo before {steps}, so the file may differ from it by more than {levels} level.',
  SUBJECT_STRETCHED:
    'The subject was stretched {factor} times for its canvas and may look soft. For more detail, enlarge the photo further or choose a smaller canvas.',
  GREY_BECAME_RGB: 'The grey picture became RGB, for its background has a colour.',
  BACKGROUND_FLATTENED: 'White stands behind the transparent parts of the background picture.',

  DEVICE_LEFT: '{device} was left for the CPU. {reason}',
  TILES_SMALLER:
    'Tiles of {size} instead of {planned} pixels were used, because the memory of {device} did not suffice.',
  BATCH_SMALLER_MEMORY:
    'Tiles were run {count} instead of {planned} at a time, because the memory of {device} did not suffice.',
  BATCH_SMALLER:
    'Tiles were run {count} instead of {planned} at a time, because {device} failed: {reason}',
  RUN_AGAIN: 'Run again on {next}, because {device} in {precision} failed: {reason}',
  RAN_HERE: 'It ran here because the pool did not do it: {reason}',

  BRIGHTNESS_ONLY: 'It takes brightness alone; colours are enlarged by interpolation.',
  HARDLY_RESEMBLES:
    'What it gives hardly resembles what it was given (they differ by {percent} % of the range).',
  CLICKS_TRIED:
    'Clicks on {scenes} drawn subjects selected {found} of them (overlap {percent} % in the mean). It takes {width} x {height} pixels.',
  NO_SUBJECT_FOUND:
    'It found the subject of none of six drawn scenes: it may be made for other subjects, or take values in another way. Look at a result, and correct its contract if need be.',
} as const;

/** What stands in a note as the value of `objection`, `steps`, `faults`, `reason`, `next` or `count`. */
export const partsEn = {
  SIDE_TOO_LONG:
    '{format} holds at most {max} pixels a side, and the result has {width} x {height}',
  MEMORY_TOO_SMALL:
    "{format} can be written up to {max} megapixels in this machine's memory, and the result has {width} x {height} pixels",
  PIXELS_TOO_MANY:
    '{format} can be written up to {max} megapixels, and the result has {width} x {height} pixels',
  SHARPENING: 'sharpening',
  GRAIN: 'grain',
  COMPRESSION: 'compression',
  STRAY_BYTES: 'stray bytes between its parts',
  JFIF_VERSION: 'an unknown version of JFIF',
  ADOBE_CODE: "an unknown code in Adobe's segment",
  SCAN_HEADER: "a scan's header that does not fit its kind",
  END_MARKER: 'a missing end marker',
  DIRECTORY: "entries in the file's directory",
  DEVICE_SLOWER: 'It is slower here than the CPU: {speed} against {cpu} megapixels a second.',
  DEVICE_MEMORY: 'its memory did not suffice.',
  DEVICE_LOST: 'its driver stopped and started anew.',
  DEVICE_MISSING: 'the system offers no such device to programs.',
  DEVICE_FAULT: 'its driver reported a fault, which logs/enlarger.log in the data folder names.',
  THE_CPU: 'the CPU',
  ONE: 'one',
} as const;

export type NoteCode = keyof typeof notesEn;
export type PartCode = keyof typeof partsEn;

/** A language: the same sentences and parts, with the same values. */
export interface NoteWords {
  readonly notes: Readonly<Record<NoteCode, string>>;
  readonly parts: Readonly<Record<PartCode, string>>;
}
