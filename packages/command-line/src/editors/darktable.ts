/**
 * Installs a script in darktable's folder and adds it to `luarc`, which darktable runs at start. It adds an
 * export target that passes each photo to `enlarger edit-in`. Uses the Lua API documented since 5.0:
 * register_storage, preferences, control.execute, database.import.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { hasCode } from '../../../files/src/file-errors.ts';
import { makeFolder } from '../local-files.ts';
import { intoFolder } from './into-folder.ts';

const darktableScript = String.raw`-- Written by "enlarger darktable": a target of darktable's export that enlarges.
-- Command and options: Preferences, Lua options.
local dt = require "darktable"

local me = "enlarger"
local separator = package.config:sub(1, 1)

dt.preferences.register(me, "command", "string", "Enlarger: command",
  "its name, or its full path where darktable does not find it", "enlarger")
dt.preferences.register(me, "options", "string", "Enlarger: options",
  "as enlarger edit-in takes them", "--scale 2")

local function quoted(word)
  if separator == "\\" then return '"' .. word .. '"' end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function edit(file)
  local command = quoted(dt.preferences.read(me, "command", "string")) .. " edit-in "
    .. quoted(file) .. " --no-original " .. dt.preferences.read(me, "options", "string")
  -- The shell of Windows takes the outermost quotes away.
  if separator == "\\" then command = '"' .. command .. '"' end
  return dt.control.execute(command) == 0
end

-- A path beside the photo that no file has.
local function free_path(folder, name)
  local stem, ending = name:match("^(.*)(%.[^.]+)$")
  local number, path, file = 0, nil, nil
  repeat
    if file then file:close() end
    number = number + 1
    path = folder .. separator .. stem .. "-enlarged"
      .. (number == 1 and "" or " (" .. number .. ")") .. ending
    file = io.open(path, "rb")
  until file == nil
  return path
end

local function copy(from, to)
  local source = io.open(from, "rb")
  local target = source and io.open(to, "wb")
  local is_whole = target ~= nil
  while is_whole do
    local bytes = source:read(1048576)
    if bytes == nil then break end
    is_whole = target:write(bytes) ~= nil
  end
  if source then source:close() end
  if target then is_whole = target:close() and is_whole end
  if target and not is_whole then os.remove(to) end
  return is_whole
end

-- Exports lie in a temporary folder, often of another disk, to which nothing can be renamed.
local function move(from, to)
  if os.rename(from, to) then return true end
  local is_copied = copy(from, to)
  if is_copied then os.remove(from) end
  return is_copied
end

local function take(image, file)
  if not edit(file) then return "Enlarger could not enlarge " .. image.filename end
  local path = free_path(image.path, file:match("[^/\\]+$"))
  if not move(file, path) then return "The enlarged photo cannot be written to " .. image.path end
  dt.database.import(path):group_with(image)
end

dt.register_storage(me, "enlarge with Enlarger", nil, function(_, images)
  for image, file in pairs(images) do
    local problem = take(image, file)
    if problem then
      os.remove(file)
      dt.print(problem)
    end
  end
end)
`;

/** darktable's default configuration folder. Snap and Flatpak packages use others. */
export function defaultFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'win32')
    return path.win32.join(
      env['LOCALAPPDATA'] ?? path.win32.join(homedir(), 'AppData', 'Local'),
      'darktable',
    );
  const config = env['XDG_CONFIG_HOME'];
  return path.posix.join(
    config !== undefined && config !== '' ? config : path.posix.join(homedir(), '.config'),
    'darktable',
  );
}

const requires = /^\s*require\s*\(?\s*["']enlarger["']/m;

/**
 * Installs the script and returns its path. An existing script is overwritten; other lines of `luarc` stay.
 * @throws Error a sentence
 */
export async function installScript(folder: string): Promise<string> {
  const script = path.join(folder, 'lua', 'enlarger.lua');
  const start = path.join(folder, 'luarc');
  return intoFolder('darktable', folder, 'script', async () => {
    makeFolder(path.dirname(script));
    await writeFile(script, darktableScript);
    const before = await readFile(start, 'utf8').catch(orNothing);
    if (!requires.test(before)) await appendFile(start, `${lineEnd(before)}require "enlarger"\n`);
    return script;
  });
}

const lineEnd = (before: string) => (before === '' || before.endsWith('\n') ? '' : '\n');

function orNothing(error: unknown): string {
  if (hasCode(error, ['ENOENT'])) return '';
  throw error;
}
