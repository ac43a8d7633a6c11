/*
 * For the test's Electron only, whose Node 20 knows Node-API 9: addons of version 10 make references to
 * primitives, which Node 20 refuses. Here such a value lies in an object, and the reference is to that.
 * Only used from one thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef void *Env, *Value, *Reference;
typedef int Status;

extern Status napi_typeof(Env, Value, int *type);
extern Status napi_create_object(Env, Value *object);
extern Status napi_set_named_property(Env, Value object, const char *name, Value value);
extern Status napi_get_named_property(Env, Value object, const char *name, Value *value);

/* enum napi_valuetype: these alone may be referred to in version 9. */
enum { TYPE_SYMBOL = 5, TYPE_OBJECT = 6, TYPE_FUNCTION = 7, TYPE_EXTERNAL = 8 };

#define MAX_BOXED 65536
static Reference boxed[MAX_BOXED];
static size_t boxed_count;

static size_t index_of(Reference reference) {
  size_t index = 0;
  while (index < boxed_count && boxed[index] != reference) index += 1;
  return index;
}

Status xapi_create_reference(Env env, Value value, uint32_t count, Reference *reference) {
  Status (*create)(Env, Value, uint32_t, Reference *) = dlsym(RTLD_DEFAULT, "napi_create_reference");
  int type;
  Status status = napi_typeof(env, value, &type);
  if (status != 0) return status;
  if (type >= TYPE_SYMBOL && type <= TYPE_EXTERNAL) return create(env, value, count, reference);
  Value box;
  status = napi_create_object(env, &box);
  if (status == 0) status = napi_set_named_property(env, box, "value", value);
  if (status == 0) status = create(env, box, count, reference);
  if (status == 0 && boxed_count < MAX_BOXED) boxed[boxed_count++] = *reference;
  return status;
}

Status xapi_get_reference_value(Env env, Reference reference, Value *value) {
  Status (*get)(Env, Reference, Value *) = dlsym(RTLD_DEFAULT, "napi_get_reference_value");
  Status status = get(env, reference, value);
  if (status != 0 || *value == NULL || index_of(reference) == boxed_count) return status;
  return napi_get_named_property(env, *value, "value", value);
}

Status xapi_delete_reference(Env env, Reference reference) {
  Status (*delete)(Env, Reference) = dlsym(RTLD_DEFAULT, "napi_delete_reference");
  size_t index = index_of(reference);
  if (index < boxed_count) boxed[index] = boxed[--boxed_count];
  return delete(env, reference);
}
